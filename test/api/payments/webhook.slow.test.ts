import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { deleteStore } from '#shared/stores/lifecycle/delete-store.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import {
  buildShop,
  confirm,
  placeCardOrder,
  referenceOf,
  stripe,
} from '#test/support/builders/place-orders.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainDueOrders, drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

const HOUR_MS = 3600 * 1000

/** A shop of ten units with an order of two, open at the gateway. */
async function scene(units = 10) {
  const shop = await buildShop(units)
  const order = await placeCardOrder(shop, 2)
  const { store, variantId } = shop
  return {
    shop,
    store,
    order,
    view: () => inStore(store.id, (tx) => loadOrderView(tx, order.id)),
    stock: () => stockOf(store, variantId),
    pay: () =>
      request(`POST /orders/${order.id}/pay?access_token=${order.accessToken}`, {
        store,
        key: randomUUID(),
        headers: { Prefer: 'respond-async' },
        body: {},
      }),
    events: async () => {
      const rows = await inStore(store.id, (tx) =>
        tx.knex('events').where('type', 'like', 'order.%').orderBy('id').select('type'),
      )
      return rows.map(({ type }: { type: string }) => type)
    },
    refunds: () => gateway.ledger().refunds.filter(({ metadata }) => metadata.order_id === order.id),
  }
}

test('a declined card fails the order, whose stock stays held until the end of the hold', async () => {
  const { store, order, view, stock, events } = await scene()
  const intent = await confirm(order.reference, 'pm_card_chargeDeclined')

  await notify('payment_intent.payment_failed', intent)

  assert.equal((await view()).status, 'failed')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 2 })
  assert.deepEqual((await events()).slice(1), ['order.payment_failed', 'order.updated'])
  const payment = await inStore(store.id, (tx) => tx.knex('payments').where('order_id', order.id).first())
  assert.partialDeepStrictEqual(payment, { status: 'failed', failure_reason: 'generic_decline' })
  moveClock(HOUR_MS)
  await drainDueOrders()
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
})

test('after a decline, another card on the same payment pays the order', async () => {
  const { order, view, stock } = await scene()
  await notify('payment_intent.payment_failed', await confirm(order.reference, 'pm_card_chargeDeclined'))

  await notify('payment_intent.succeeded', await confirm(order.reference))

  assert.equal((await view()).status, 'processing')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
})

test('a failure after the capture changes nothing', async () => {
  const { order, view, stock } = await scene()
  const declined = await confirm(order.reference, 'pm_card_chargeDeclined')
  const paid = await confirm(order.reference)

  await notify('payment_intent.succeeded', paid)
  await notify('payment_intent.payment_failed', declined)
  await notify('payment_intent.canceled', declined)

  assert.equal((await view()).status, 'processing')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
})

test('a capture before the opened payment is recorded is matched by its payment id', async () => {
  const { store, order, view } = await scene()
  const intent = await confirm(order.reference)
  await inStore(store.id, (tx) =>
    tx.knex('payments').where('id', order.paymentId).update({ gateway_reference: null, status: 'pending' }),
  )

  await notify('payment_intent.succeeded', intent)

  assert.equal((await view()).status, 'processing')
  assert.equal(await referenceOf(store, order.paymentId), order.reference)
})

test('a capture after the end of the hold reserves the stock again', async () => {
  const { order, view, stock } = await scene()
  moveClock(HOUR_MS)
  await drainDueOrders()
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
  assert.equal((await view()).status, 'pending', 'the order still waits')

  await notify('payment_intent.succeeded', await confirm(order.reference))

  assert.equal((await view()).status, 'processing')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 2, held: 0 })
})

test('a capture after the stock was sold is refunded automatically', async () => {
  const { shop, order, view, stock, refunds } = await scene(2)
  moveClock(HOUR_MS)
  await drainDueOrders()
  const other = await placeCardOrder(shop, 2)
  await notify('payment_intent.succeeded', await confirm(other.reference))

  await notify('payment_intent.succeeded', await confirm(order.reference))

  const { status, amount_captured, amount_refunded } = await view()
  assert.deepEqual(
    { status, amount_captured, amount_refunded },
    { status: 'canceled', amount_captured: 0, amount_refunded: 0 },
  )
  assert.deepEqual(await stock(), { onHand: 2, allocated: 2, held: 0 })
  assert.deepEqual(
    refunds().map(({ amount }) => amount),
    [2500],
  )
})

test('a capture in a deleted store is refunded automatically', async () => {
  const { store, order, view, stock, refunds } = await scene()
  await inStore(store.id, (tx) => deleteStore(tx, async () => {}))

  await notify('payment_intent.succeeded', await confirm(order.reference))

  assert.partialDeepStrictEqual(await view(), { status: 'canceled', amount_captured: 0 })
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
  assert.deepEqual(
    refunds().map(({ amount, status }) => ({ amount, status })),
    [{ amount: 2500, status: 'succeeded' }],
  )
})

test('a capture of a canceled order is refunded automatically', async () => {
  const { store, order, view, refunds } = await scene()
  const intent = await confirm(order.reference)
  await request(`POST /orders/${order.id}/cancel?access_token=${order.accessToken}`, { store })

  await notify('payment_intent.succeeded', intent)

  const { status, amount_captured, amount_refunded } = await view()
  assert.deepEqual(
    { status, amount_captured, amount_refunded },
    { status: 'canceled', amount_captured: 0, amount_refunded: 0 },
  )
  assert.equal(refunds().length, 1)
})

test('a first payment that was captured before the second one opens pays the order', async () => {
  const { order, view, pay, refunds } = await scene()
  await notify('payment_intent.payment_failed', await confirm(order.reference, 'pm_card_chargeDeclined'))
  // Another card on the first payment; its event is lost.
  await confirm(order.reference)

  await pay()
  await drainJobs()

  assert.partialDeepStrictEqual(await view(), { status: 'processing', amount_captured: 25 })
  assert.equal(refunds().length, 0)
})

test('a capture with another reference under the same payment is recorded as a second payment', async () => {
  const { store, order, view } = await scene()
  const intent = await confirm(order.reference)
  await notify('payment_intent.succeeded', intent)

  await notify('payment_intent.succeeded', { ...intent, id: 'pi_another' })

  assert.partialDeepStrictEqual(await view(), { status: 'processing', amount_captured: 25 })
  const surpluses = await inStore(store.id, (tx) => listSurpluses(tx, order.id))
  assert.partialDeepStrictEqual(surpluses, [{ reason: 'paid_twice', amountMinor: 2_500n }])
})

test('a payment canceled at the gateway fails its order', async () => {
  const { order, view } = await scene()

  await notify('payment_intent.canceled', await stripe.paymentIntents.cancel(order.reference))

  assert.equal((await view()).status, 'failed')
})

test("a notification with another store's id is applied in the store of its payment", async () => {
  const { order, view } = await scene()
  const other = await buildShop()
  const intent = await confirm(order.reference)

  await notify('payment_intent.succeeded', {
    ...intent,
    metadata: { ...intent.metadata, store_id: other.store.id },
  })

  assert.equal((await view()).status, 'processing')
})

testBooks()
