import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { csv, importCsv } from '#test/support/builders/import.ts'
import { buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { countQueries } from '#test/support/measure/count-queries.ts'
import { request } from '#test/support/processes/app.ts'

/** Two paid orders, each of 3 of 10 units of a variant. */
async function scene() {
  const store = await buildStore()
  const { id: productId, slug, variants } = await buildProduct(store, { variants: [{ stockOnHand: 10 }] })
  const variantId = variants[0]?.id ?? ''
  const items = [{ variantId, quantity: 3 }]
  const older = await buildPaidOrder(store, { items })
  const newer = await buildPaidOrder(store, { items })
  const { token } = await buildStaff(store, { role: 'administrator' })
  const as = (line: string, body?: object) =>
    request(line, { token, key: newId(), ...(body ? { body } : {}) })
  return {
    store,
    token,
    sku: variants[0]?.sku ?? '',
    slug,
    productId,
    variantId,
    items,
    older,
    newer,
    as,
    count: (stock_on_hand: number) => as(`POST /admin/variants/${variantId}/stock`, { stock_on_hand }),
    read: async ({ id }: { id: string }) => (await as(`GET /admin/orders/${id}`)).data,
    change: ({ id }: { id: string }, body: object) => as(`PATCH /admin/orders/${id}`, body),
    list: async (query: string) =>
      (await as(`GET /admin/orders?${query}`)).data.map(({ id }: { id: string }) => id),
    stock: () => stockOf(store, variantId),
  }
}

test('the response to a count has the number of short orders; the list filters them', async () => {
  const { older, newer, count, list } = await scene()
  const enough = await count(6)
  const less = await count(5)
  const none = await count(0)

  assert.equal(enough.data.orders_short, 0)
  assert.equal(less.data.orders_short, 1)
  assert.equal(none.data.orders_short, 2)
  await count(4)
  assert.deepEqual(await list('short=true'), [newer.id])
  assert.deepEqual(await list('short=false'), [older.id])
  assert.deepEqual(await list('short=true&status=pending'), [])
  assert.deepEqual(await list('sort=created_at'), [older.id, newer.id])
})

test('an import that sets less than is reserved leaves orders short', async () => {
  const { store, token, sku, slug, newer, list, change } = await scene()

  const { failure, errors } = await importCsv(
    store,
    token,
    csv('Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty', `${slug},Sold,${sku},10,4`),
  )

  assert.deepEqual({ failure, errors }, { failure: '', errors: [] })
  assert.deepEqual(await list('short=true'), [newer.id])
  assert.equal((await change(newer, { status: 'shipped' })).error_code, 'order.stock_short')
})

test('the detail of an order names its short lines', async () => {
  const { variantId, older, newer, count, read } = await scene()
  await count(4)

  const { shortages, items } = await read(newer)

  assert.deepEqual(shortages, [
    {
      order_item_id: items[0].id,
      variant_id: variantId,
      sku: items[0].sku,
      name: items[0].name,
      quantity: 3,
      short: 2,
    },
  ])
  assert.deepEqual((await read(older)).shortages, [])
})

test('shipping a short order returns 409 order.stock_short with its lines and the choices', async () => {
  const { newer, count, change, read, stock } = await scene()
  await count(4)

  const { status, error_code, error } = await change(newer, { status: 'shipped' })

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'order.stock_short' })
  assert.match(error ?? '', /SKU-\d+\): 2 of 3 missing/)
  for (const choice of ['Count the stock', 'refund', 'backorder', 'override'])
    assert.match(error ?? '', new RegExp(choice))
  assert.equal((await read(newer)).status, 'processing')
  assert.deepEqual(await stock(), { onHand: 4, allocated: 6, held: 0 })
})

test('an order short of stock ships after a stock count, a backorder flag or with override', async () => {
  const counted = await scene()
  await counted.count(4)
  await counted.count(6)
  assert.equal((await counted.change(counted.newer, { status: 'shipped' })).status, 200)

  const allowed = await scene()
  await allowed.count(4)
  const path = `/admin/products/${allowed.productId}/variants/${allowed.variantId}`
  assert.equal((await allowed.as(`PATCH ${path}`, { backorder: true })).status, 200)
  assert.equal((await allowed.change(allowed.newer, { status: 'shipped' })).status, 200)

  const overridden = await scene()
  await overridden.count(4)
  const shipped = await overridden.change(overridden.newer, { status: 'shipped', override: true })
  assert.equal(shipped.status, 200)
  const { history } = await overridden.read(overridden.newer)
  assert.partialDeepStrictEqual(history.at(-1), { to_status: 'shipped' })
  assert.match(history.at(-1).note, /2 of 3 missing/)
  assert.deepEqual(await overridden.stock(), { onHand: 1, allocated: 3, held: 0 })
})

test('a short order ships after a refund that restocks its missing units', async () => {
  const { store, items, count, as, change, stock } = await scene()
  const order = await buildOrder(store, { items, paymentMethod: 'bank_transfer' })
  await as(`POST /admin/orders/${order.id}/mark-paid`, {})
  await count(7)
  const refused = await change(order, { status: 'shipped' })

  const missing = [{ order_item_id: order.items[0]?.id, quantity: 2 }]
  await as(`POST /admin/orders/${order.id}/refunds`, { items: missing, restock: true })

  assert.equal(refused.error_code, 'order.stock_short')
  assert.equal((await change(order, { status: 'shipped' })).status, 200)
  assert.deepEqual(await stock(), { onHand: 6, allocated: 6, held: 0 })
})

test('override without a shipment returns 422 at override', async () => {
  const { newer, change } = await scene()

  for (const body of [
    { status: 'canceled', override: true },
    { note: 'Soon', override: true },
  ]) {
    const { status, detail } = await change(newer, body)
    assert.equal(status, 422)
    assert.deepEqual(detail?.[0]?.loc, ['body', 'override'])
  }
})

test('an unpaid order can be short of stock, and stays payable', async () => {
  const { store, items, count, list, as } = await scene()
  const held = await buildOrder(store, { items, paymentMethod: 'bank_transfer' })
  await count(6)

  assert.deepEqual(await list('short=true'), [held.id])
  assert.equal((await as(`POST /admin/orders/${held.id}/mark-paid`, {})).status, 200)
  assert.deepEqual(await list('short=true'), [held.id])
})

test("another store's shortages are not listed", async () => {
  const { count } = await scene()
  const other = await scene()
  await count(0)

  assert.deepEqual(await other.list('short=true'), [])
})

test('the list of short orders runs as many queries for many as for one', async () => {
  const { store, items, count, list } = await scene()
  await buildPaidOrder(store, { items })
  await count(6)
  const one = await countQueries(() => list('short=true'))
  await count(0)

  assert.equal(await countQueries(() => list('short=true')), one)
})

testBooks()
