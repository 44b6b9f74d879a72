import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

/** A variant with 5 units, whose stock staff read and adjust. */
async function scene(role = 'catalog') {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role })
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 5 }] })
  const variantId = variants[0]?.id ?? ''
  const path = `/admin/variants/${variantId}/stock`
  const adjust = (body: object) => request(`POST ${path}`, { token, body })
  const movements = (query = '') => request(`GET ${path}${query}`, { token })
  return { store, token, variantId, path, adjust, movements }
}

test('a delta or a count changes the stock of a variant and records a movement', async () => {
  const { variantId, adjust, movements } = await scene()

  const less = await adjust({ delta: -2, note: 'Broken' })
  const counted = await adjust({ stock_on_hand: 0 })

  assert.equal(less.status, 201)
  const { movement, ...stock } = less.data
  assert.deepEqual(stock, {
    variant_id: variantId,
    stock_on_hand: 3,
    stock_available: 3,
    orders_short: 0,
  })
  assert.partialDeepStrictEqual(movement, { delta: -2, reason: 'adjustment', note: 'Broken' })
  assert.partialDeepStrictEqual(counted.data, { stock_on_hand: 0, movement: { delta: -3 } })
  const { data, meta } = await movements('?page_size=2')
  assert.partialDeepStrictEqual(data, [{ delta: -3 }, { delta: -2 }])
  assert.equal(meta.total, 3)
})

test('a variant whose stock reaches zero and rises again is out of stock and back in stock', async () => {
  const { store, adjust } = await scene()

  await adjust({ stock_on_hand: 0 })
  await adjust({ delta: 4 })

  const types = await inStore(store.id, (tx) =>
    tx.knex('events').whereLike('type', 'product.%stock').orderBy('id').pluck('type'),
  )
  assert.deepEqual(types, ['product.out_of_stock', 'product.back_in_stock'])
})

test('a negative result, a delta beside a count or neither returns 422 and changes nothing', async () => {
  const { adjust, movements } = await scene()
  const before = await movements()

  for (const body of [
    {},
    { delta: 1, stock_on_hand: 1 },
    { delta: -6 },
    { stock_on_hand: -1 },
    { delta: 1_000_000_000 },
    { delta: 1.5 },
    { delta: 1, note: ' ' },
  ])
    assert.equal((await adjust(body)).status, 422, JSON.stringify(body))

  assert.deepEqual((await movements()).data, before.data)
})

test("another store's variant returns 404 and keeps its stock", async () => {
  const theirs = await scene()
  const { token } = await scene()
  const before = await theirs.movements()

  const adjusted = await request(`POST ${theirs.path}`, { token, body: { delta: 1 } })
  const read = await request(`GET ${theirs.path}`, { token })

  for (const { status, error_code } of [adjusted, read])
    assert.deepEqual({ status, error_code }, { status: 404, error_code: 'resource.not_found' })
  assert.deepEqual((await theirs.movements()).data, before.data)
})

test('adjusting stock without the right to change the catalog returns 403', async () => {
  const { adjust } = await scene('accounting')

  assert.partialDeepStrictEqual(await adjust({ delta: 1 }), { status: 403, error_code: 'auth.forbidden' })
})

testBooks()
