import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { buildReceivedScene } from '#test/support/builders/return-scene.ts'

test('sellable units are restocked, less those that a refund restocked', async () => {
  const { store, order, staff, step } = await buildReceivedScene({}, { units: [2] })
  const variantId = order.lines[0]?.variantId ?? ''
  const refund = { items: [{ order_item_id: order.lines[0]?.id, quantity: 1 }], restock: true }
  await staff(`POST /admin/orders/${order.id}/refunds`, { key: newId(), body: refund })
  assert.equal((await stockOf(store, variantId)).onHand, 99)

  const { data } = await step('restock')
  const again = await step('restock')

  assert.ok(data.restocked_at)
  assert.equal(again.error_code, 'return.nothing_to_restock')
  assert.equal((await stockOf(store, variantId)).onHand, 100)
})

testBooks()
