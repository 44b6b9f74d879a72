import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { StockLevel } from '#shared/inventory/stock-level.ts'
import { changeOrderStatus } from '#shared/orders/status/change-order-status.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildProduct } from '#test/support/build-catalog.ts'
import { buildPaidOrder } from '#test/support/build-orders.ts'
import { ignoreBooksOf, testBooks } from '#test/support/test-books.ts'

/** A variant with 5 units. */
async function setUp() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 5 }] })
  return { store, token, variantId: variants[0]?.id ?? '' }
}

const events = (store: { id: string }) =>
  inStore(store.id, (tx) => tx.knex('events').whereLike('type', 'product.%').orderBy('id').pluck('type'))

test('POST /admin/variants/{variant_id}/stock adjusts by a delta or to a count, and records a movement', async () => {
  const { store, token, variantId } = await setUp()
  const line = `/admin/variants/${variantId}/stock`
  const adjust = (body: object) => request(`POST ${line}`, { token, body })

  const less = await adjust({ delta: -2, note: 'Broken' })
  const counted = await adjust({ stock_on_hand: 0 })
  const back = await adjust({ delta: 4 })

  assert.equal(less.status, 201)
  const { movement, ...stock } = less.data
  assert.deepEqual(stock, {
    variant_id: variantId,
    stock_on_hand: 3,
    stock_available: 3,
    orders_short: 0,
  })
  assert.partialDeepStrictEqual(movement, { delta: -2, reason: 'adjustment', note: 'Broken' })
  assert.equal(counted.data.movement.delta, -3)
  assert.equal(back.data.stock_on_hand, 4)
  const { data, meta } = await request(`GET ${line}?page_size=2`, { token })
  assert.deepEqual(
    data.map(({ delta }: { delta: number }) => delta),
    [4, -3],
  )
  assert.equal(meta.total, 4)
  assert.deepEqual((await events(store)).slice(-2), ['product.out_of_stock', 'product.back_in_stock'])
})

test('POST /admin/variants/{variant_id}/stock with a negative result, with both ways or none returns 422', async () => {
  const { token, variantId } = await setUp()
  const bad = [
    {},
    { delta: 1, stock_on_hand: 1 },
    { delta: -6 },
    { stock_on_hand: -1 },
    { delta: 1_000_000_000 },
    { delta: 1.5 },
    { delta: 1, note: ' ' },
  ]
  for (const body of bad) {
    const answer = await request(`POST /admin/variants/${variantId}/stock`, { token, body })
    assert.equal(answer.status, 422, JSON.stringify(body))
  }
})

/** A variant on backorder of which more was shipped than there was: 10 units below zero. */
async function belowZero() {
  const scene = await setUp()
  const { variants } = await buildProduct(scene.store, { variants: [{ stockOnHand: 0, backorder: true }] })
  const variantId = variants[0]?.id ?? ''
  const { id } = await buildPaidOrder(scene.store, { items: [{ variantId, quantity: 10 }] })
  await inStore(scene.store.id, (tx) => changeOrderStatus(tx, id, 'shipped', 'system'))
  return (body: object) => request(`POST /admin/variants/${variantId}/stock`, { token: scene.token, body })
}

test('a delivery is added to stock below zero, even when it does not reach zero', async () => {
  const adjust = await belowZero()

  const { status, data } = await adjust({ delta: 5 })

  assert.deepEqual({ status, stock_on_hand: data.stock_on_hand }, { status: 201, stock_on_hand: -5 })
  assert.equal((await adjust({ delta: 7 })).data.stock_on_hand, 2)
})

test('stock below zero is not decreased, but may be counted', async () => {
  const adjust = await belowZero()

  assert.equal((await adjust({ delta: -1 })).status, 422)
  assert.equal((await adjust({ delta: 0 })).data.stock_on_hand, -10)
  assert.equal((await adjust({ stock_on_hand: 3 })).data.stock_on_hand, 3)
})

test('control: reading before the lock loses one of two adjustments', async () => {
  const { store, token, variantId } = await setUp()
  ignoreBooksOf(store)
  const read = async (tx: StoreTx) => (await StockLevel.in(tx).findById(variantId))?.stockOnHand ?? 0
  const write = (tx: StoreTx, stockOnHand: number) =>
    StockLevel.in(tx).findById(variantId).patch({ stockOnHand })

  await inStore(store.id, async (tx) => {
    const before = await read(tx)
    await inStore(store.id, async (other) => write(other, (await read(other)) + 3))
    await write(tx, before + 3)
  })

  const { data } = await request(`POST /admin/variants/${variantId}/stock`, { token, body: { delta: 0 } })
  assert.equal(data.stock_on_hand, 8)
})

test('concurrent adjustments all count', async () => {
  const { token, variantId } = await setUp()
  const body = { delta: 3 }

  await Promise.all(
    Array.from({ length: 10 }, () => request(`POST /admin/variants/${variantId}/stock`, { token, body })),
  )

  const { data } = await request(`POST /admin/variants/${variantId}/stock`, { token, body: { delta: 0 } })
  assert.equal(data.stock_on_hand, 35)
})

testBooks()
