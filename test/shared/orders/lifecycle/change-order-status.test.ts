import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import type { OrderStatus } from '#shared/orders/states.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { errorCodeOf, stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import {
  type BuiltOrder,
  buildOrder,
  buildPaidOrder,
  type GivenOrder,
} from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'

/** An order of 3 of 10 units. */
async function scene(build: typeof buildOrder = buildOrder, given: Partial<GivenOrder> = {}) {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 10 }] })
  const variantId = variants[0]?.id ?? ''
  const order: BuiltOrder = await build(store, { items: [{ variantId, quantity: 3 }], ...given })
  const change = (to: OrderStatus) =>
    inStore(store.id, (tx) => changeOrderStatus(tx, order.id, to, 'system', { note: 'a note' }))
  const view = () => inStore(store.id, (tx) => loadOrderView(tx, order.id))
  return { store, order, change, view, stock: () => stockOf(store, variantId) }
}

test('a pending order holds its stock, and canceling it releases the stock', async () => {
  const { change, view, stock } = await scene()
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 3 })

  await change('canceled')

  assert.equal((await view()).status, 'canceled')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
})

test('the stock of a paid order is allocated, and no longer on hand once it ships', async () => {
  const { store, order, change, view, stock } = await scene(buildPaidOrder)
  assert.deepEqual(await stock(), { onHand: 10, allocated: 3, held: 0 })

  await change('shipped')

  assert.deepEqual(await stock(), { onHand: 7, allocated: 0, held: 0 })
  assert.equal((await view()).fulfillment_status, 'fulfilled')
  const movements = await inStore(store.id, (tx) =>
    tx.knex('stock_movements').where('reference', order.id).select('delta', 'reason'),
  )
  assert.deepEqual(movements, [{ delta: -3, reason: 'shipment' }])

  await change('complete')
  assert.deepEqual(await stock(), { onHand: 7, allocated: 0, held: 0 }, 'stock ships once')
})

test('completing an order that did not ship takes its stock off hand', async () => {
  const { change, stock } = await scene(buildPaidOrder)

  await change('complete')

  assert.deepEqual(await stock(), { onHand: 7, allocated: 0, held: 0 })
})

test('refunding an order that did not ship releases its stock', async () => {
  const { change, stock } = await scene(buildPaidOrder)

  await change('refunded')

  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
})

test('canceling a paid order throws order.refund_required', async () => {
  const { change } = await scene(buildPaidOrder)

  assert.equal(await errorCodeOf(change('canceled')), 'order.refund_required')
})

test('a transition that the states do not allow throws order.invalid_transition', async () => {
  const { change, view } = await scene()

  for (const to of ['pending', 'shipped', 'complete', 'refunded'] as const)
    assert.equal(await errorCodeOf(change(to)), 'order.invalid_transition', to)
  assert.equal((await view()).status, 'pending')
})

test("changing another store's order throws resource.not_found", async () => {
  const { order } = await scene()
  const other = await buildStore()

  const changed = inStore(other.id, (tx) => changeOrderStatus(tx, order.id, 'canceled', 'system'))

  assert.equal(await errorCodeOf(changed), 'resource.not_found')
})

test('each status change adds a history entry and emits events', async () => {
  const { store, order, change } = await scene(buildPaidOrder)

  await change('shipped')

  const { history, events } = await inStore(store.id, async (tx) => ({
    history: await tx
      .knex('order_steps')
      .where('order_id', order.id)
      .orderBy('id')
      .select('from_status', 'to_status', 'actor', 'note'),
    events: await tx
      .knex('events')
      .whereRaw("data->>'id' = ?", [order.id])
      .orderBy('id')
      .select('type', 'data'),
  }))
  assert.deepEqual(history, [
    { from_status: null, to_status: 'pending', actor: 'guest', note: null },
    { from_status: 'pending', to_status: 'processing', actor: 'gateway', note: null },
    { from_status: 'processing', to_status: 'shipped', actor: 'system', note: 'a note' },
  ])
  assert.deepEqual(
    events.map(({ type }) => type),
    ['order.created', 'order.paid', 'order.updated', 'order.shipped', 'order.updated'],
  )
  assert.ok(events.every(({ data }) => data.amount_refunded === 0))
})

test('one of two concurrent cancellations throws order.invalid_transition', async () => {
  const { change } = await scene()

  const outcomes = await Promise.all([errorCodeOf(change('canceled')), errorCodeOf(change('canceled'))])

  assert.deepEqual(outcomes.sort(), [null, 'order.invalid_transition'].sort())
})

test('changing an unknown order throws resource.not_found', async () => {
  const store = await buildStore()

  assert.equal(
    await errorCodeOf(inStore(store.id, (tx) => changeOrderStatus(tx, newId(), 'canceled', 'system'))),
    'resource.not_found',
  )
})

testBooks()
