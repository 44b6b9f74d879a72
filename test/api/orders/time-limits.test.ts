import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/gateway.ts'
import { loadOrderView } from '#shared/orders/view.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { notify } from '#test/support/notify.ts'
import { stockOf } from '#test/support/observe-orders.ts'
import { buildShop, checkOut, confirm, fillCart, placeCardOrder, stripe } from '#test/support/place-orders.ts'

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS

async function scene() {
  const shop = await buildShop(10)
  const order = await placeCardOrder(shop, 3)
  const view = () => inStore(shop.store.id, (tx) => loadOrderView(tx, order.id))
  return { shop, order, view, stock: () => stockOf(shop.store, shop.variantId) }
}

test('a hold ends after 35 minutes, and the order stays payable', async () => {
  stopClock()
  const { view, stock } = await scene()

  moveClock(35 * MINUTE_MS - 5_000)
  await drainJobs()
  assert.equal((await stock()).held, 3)

  moveClock(35 * MINUTE_MS + 1_000)
  await drainJobs()
  assert.equal((await stock()).held, 0)
  assert.equal((await view()).status, 'pending')
})

test('an unpaid order fails after 24 hours, its payment canceled here and at the gateway', async () => {
  const { shop, order, view, stock } = await scene()

  moveClock(DAY_MS + 1_000)
  await drainJobs()

  assert.equal((await view()).status, 'failed')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
  assert.equal((await stripe.paymentIntents.retrieve(order.reference)).status, 'canceled')
  const facts = await inStore(shop.store.id, async (tx) => ({
    payment: await tx.knex('payments').where('id', order.paymentId).first(),
    events: await tx.knex('events').where('type', 'order.payment_failed').select('id'),
  }))
  assert.equal(facts.payment.status, 'canceled')
  assert.equal(facts.events.length, 1)
})

test('neither job changes a paid order', async () => {
  const { order, view, stock } = await scene()
  await notify('payment_intent.succeeded', await confirm(order.reference))

  moveClock(2 * DAY_MS)
  await drainJobs()

  assert.equal((await view()).status, 'processing')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 3, held: 0 })
})

test('an order by bank transfer does not expire', async () => {
  const shop = await buildShop(10)
  const cart = await fillCart(shop.store, shop.variantId, 3)
  const { data } = await checkOut(shop, { cart, body: { payment_method: 'bank_transfer' } })

  moveClock(30 * DAY_MS)
  await drainJobs()

  const { status } = await inStore(shop.store.id, (tx) => loadOrderView(tx, data.order.id))
  assert.equal(status, 'pending')
  assert.equal((await stockOf(shop.store, shop.variantId)).held, 3)
})

test('a store sets its own limits in seconds', async () => {
  const shop = await buildShop(10)
  const seconds = { stock_hold_seconds: 1, unpaid_order_seconds: 2 }
  await inStore(shop.store.id, (tx) => tx.knex('stores').where('id', shop.store.id).update(seconds))
  const order = await placeCardOrder(shop, 3)

  moveClock(3_000)
  await drainJobs()

  const { status } = await inStore(shop.store.id, (tx) => loadOrderView(tx, order.id))
  assert.equal(status, 'failed')
  assert.equal((await stockOf(shop.store, shop.variantId)).held, 0)
})
