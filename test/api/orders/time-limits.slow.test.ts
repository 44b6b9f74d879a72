import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { releaseHold } from '#shared/orders/jobs.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { enqueueDueOrders } from '#shared/payments/close/enqueue-due-orders.ts'
import { expireOrder } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { pendingPayloads } from '#shared/platform/jobs/pending-jobs.ts'
import { stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import {
  buildShop,
  checkOut,
  confirm,
  fillCart,
  placeCardOrder,
  stripe,
} from '#test/support/builders/place-orders.ts'
import { buildVoucher, readVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock, stopClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { discardJobs, drainDueOrders, drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

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
  await drainDueOrders()
  assert.equal((await stock()).held, 3)

  moveClock(35 * MINUTE_MS + 1_000)
  await drainDueOrders()
  assert.equal((await stock()).held, 0)
  assert.equal((await view()).status, 'pending')
})

test('an unpaid order fails after 24 hours, its payment canceled here and at the gateway', async () => {
  const { shop, order, view, stock } = await scene()

  moveClock(DAY_MS + 1_000)
  await drainDueOrders()

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

test('a failed order expires: the card that was declined can no longer be used to pay it', async () => {
  const { shop, order, view } = await scene()
  await notify('payment_intent.payment_failed', await confirm(order.reference, 'pm_card_chargeDeclined'))
  assert.equal((await view()).status, 'failed')

  moveClock(DAY_MS - MINUTE_MS)
  await drainDueOrders()
  assert.equal((await stripe.paymentIntents.retrieve(order.reference)).status, 'requires_payment_method')
  moveClock(DAY_MS + MINUTE_MS)
  await drainDueOrders()

  assert.equal((await stripe.paymentIntents.retrieve(order.reference)).status, 'canceled')
  assert.equal((await view()).status, 'failed')
  await enqueueDueOrders()
  assert.deepEqual(await pendingPayloads(expireOrder, shop.store.id), [])
})

test('an ended hold is enqueued once, and again if its job is lost', async () => {
  const { shop, stock } = await scene()
  moveClock(36 * MINUTE_MS)
  const pending = async () => (await pendingPayloads(releaseHold, shop.store.id)).length

  await enqueueDueOrders()
  await enqueueDueOrders()
  assert.equal(await pending(), 1)
  await discardJobs()
  await drainJobs()
  assert.equal((await stock()).held, 3, 'control: the job is lost')

  await drainDueOrders()
  assert.equal((await stock()).held, 0)
  await enqueueDueOrders()
  assert.equal(await pending(), 0)
})

test('neither job changes a paid order', async () => {
  const { shop, order, view, stock } = await scene()
  await notify('payment_intent.succeeded', await confirm(order.reference))

  moveClock(2 * DAY_MS)
  await inStore(shop.store.id, async (tx) => {
    await enqueue(tx, releaseHold, { orderId: order.id })
    await enqueue(tx, expireOrder, { orderId: order.id })
  })
  await drainDueOrders()

  assert.equal((await view()).status, 'processing')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 3, held: 0 })
})

/** An order of 3 of 10 units by bank transfer, of which a voucher pays 5.00. */
async function transferScene() {
  const shop = await buildShop(10)
  const voucher = await buildVoucher(shop.store, { amountMinor: 500n })
  const body = { payment_method: 'bank_transfer', voucher_code: voucher.code }
  const cart = await fillCart(shop.store, shop.variantId, 3)
  const { data } = await checkOut(shop, { cart, body })
  return {
    shop,
    view: () => inStore(shop.store.id, (tx) => loadOrderView(tx, data.order.id)),
    stock: () => stockOf(shop.store, shop.variantId),
    reservedMinor: async () => (await readVoucher(shop.store, voucher.id)).reservedMinor,
    async markPaid() {
      const { token } = await buildStaff(shop.store, { role: 'accounting' })
      return request(`POST /admin/orders/${data.order.id}/mark-paid`, { token, body: {} })
    },
  }
}

test('an order by bank transfer holds its stock and voucher for 7 days, and stays pending after them', async () => {
  stopClock()
  const { view, stock, reservedMinor } = await transferScene()

  moveClock(7 * DAY_MS - 1_000)
  await drainDueOrders()
  assert.equal((await stock()).held, 3)
  assert.equal(await reservedMinor(), 500n)

  moveClock(7 * DAY_MS + 1_000)
  await drainDueOrders()
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
  assert.equal(await reservedMinor(), 0n)

  moveClock(100 * DAY_MS)
  await drainDueOrders()
  assert.partialDeepStrictEqual(await view(), { status: 'pending', expires_at: null })
})

test('a transfer that arrives after the hold reserves the stock and the voucher again', async () => {
  const { stock, reservedMinor, markPaid } = await transferScene()
  moveClock(8 * DAY_MS)
  await drainDueOrders()

  const { status, data } = await markPaid()

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data, { status: 'processing', amount_captured: data.total })
  assert.deepEqual(await stock(), { onHand: 10, allocated: 3, held: 0 })
  assert.equal(await reservedMinor(), 0n)
})

test('a transfer that arrives after its units were sold returns 409 with the lines, and changes nothing', async () => {
  const { shop, view, stock, reservedMinor, markPaid } = await transferScene()
  moveClock(8 * DAY_MS)
  await drainDueOrders()
  await checkOut(shop, {
    cart: await fillCart(shop.store, shop.variantId, 8),
    body: { payment_method: 'cash_on_delivery' },
  })

  const { status, error_code, error } = await markPaid()

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'checkout.insufficient_stock' })
  assert.match(error ?? '', /2 of 3/)
  assert.equal((await view()).status, 'pending')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 8, held: 0 })
  assert.equal(await reservedMinor(), 0n)
})

test('the end of the hold does not change a transfer that was paid in time', async () => {
  const { view, stock, markPaid } = await transferScene()
  await markPaid()

  moveClock(8 * DAY_MS)
  await drainDueOrders()

  assert.equal((await view()).status, 'processing')
  assert.deepEqual(await stock(), { onHand: 10, allocated: 3, held: 0 })
})

test('an order paid on delivery keeps its stock', async () => {
  const shop = await buildShop(10)
  const cart = await fillCart(shop.store, shop.variantId, 3)
  await checkOut(shop, { cart, body: { payment_method: 'cash_on_delivery' } })

  moveClock(100 * DAY_MS)
  await drainDueOrders()

  assert.deepEqual(await stockOf(shop.store, shop.variantId), { onHand: 10, allocated: 3, held: 0 })
})

test('a store sets the hold of bank transfers', async () => {
  const shop = await buildShop(10)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  await request('PATCH /admin/settings', { token, body: { bank_transfer_hold_seconds: 3_600 } })
  const cart = await fillCart(shop.store, shop.variantId, 3)
  await checkOut(shop, { cart, body: { payment_method: 'bank_transfer' } })

  moveClock(61 * MINUTE_MS)
  await drainDueOrders()

  assert.equal((await stockOf(shop.store, shop.variantId)).held, 0)
})

test('a store sets its own limits in seconds', async () => {
  const shop = await buildShop(10)
  const seconds = { stock_hold_seconds: 1, unpaid_order_seconds: 2 }
  await inStore(shop.store.id, (tx) => tx.knex('stores').where('id', shop.store.id).update(seconds))
  const order = await placeCardOrder(shop, 3)

  moveClock(3_000)
  await drainDueOrders()

  const { status } = await inStore(shop.store.id, (tx) => loadOrderView(tx, order.id))
  assert.equal(status, 'failed')
  assert.equal((await stockOf(shop.store, shop.variantId)).held, 0)
})

testBooks()
