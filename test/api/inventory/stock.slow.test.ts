import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { StockLevel } from '#shared/inventory/stock-level.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { ignoreBooksOf, testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

/** A variant with 5 units. */
async function setUp() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 5 }] })
  return { store, token, variantId: variants[0]?.id ?? '' }
}

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
