import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { restockAtCommit } from '#shared/inventory/restock-at-commit.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'

/** A paid order of 3 of 10 units. */
async function scene() {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 10 }] })
  const variantId = variants[0]?.id ?? ''
  const order = await buildPaidOrder(store, { items: [{ variantId, quantity: 3 }] })
  return {
    ship: () => inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'shipped', 'system')),
    restock: (quantity: number) =>
      inStore(store.id, async (tx) => restockAtCommit(tx, order.id, [{ variantId, quantity }])),
    stock: () => stockOf(store, variantId),
    movements: () =>
      inStore(store.id, (tx) =>
        tx.knex('stock_movements').where('reference', order.id).orderBy('id').select('delta', 'reason'),
      ),
  }
}

test('shipped units are on hand again, each once', async () => {
  const { ship, restock, stock, movements } = await scene()
  await ship()

  await restock(1)
  assert.deepEqual(await stock(), { onHand: 8, allocated: 0, held: 0 })
  await restock(2)
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
  await restock(3)
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
  assert.deepEqual(await movements(), [
    { delta: -3, reason: 'shipment' },
    { delta: 1, reason: 'return' },
    { delta: 2, reason: 'return' },
  ])
})

test('allocated units are released, and do not ship with the rest', async () => {
  const { ship, restock, stock, movements } = await scene()

  await restock(1)
  assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
  await ship()

  assert.deepEqual(await stock(), { onHand: 8, allocated: 0, held: 0 })
  assert.deepEqual(await movements(), [{ delta: -2, reason: 'shipment' }])
})

test('no more units are restocked than the order reserved', async () => {
  const { ship, restock, stock } = await scene()
  await ship()

  await restock(999)

  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
})
