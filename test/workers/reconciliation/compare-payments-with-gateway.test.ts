import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { createRefund, settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { compareWithGateway } from '#test/support/books/compare-with-gateway.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildShop, confirm, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { notify } from '#test/support/processes/notify.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

/** A card order of 25.00 and the comparison of its store. */
async function cardOrder() {
  const shop = await buildShop()
  const order = await placeCardOrder(shop, 2)
  const payment_intent = order.reference
  return {
    order,
    shop,
    compare: (window = { from: inMs(-DAY_MS), to: inMs(DAY_MS) }) =>
      compareWithGateway(stripeGateway(), shop.store.id, window),
    pay: async (card?: string) => notify('payment_intent.succeeded', await confirm(order.reference, card)),
    refundInDashboard: (amount: number) =>
      gateway.change((desk) => createRefund(desk, { payment_intent, amount: String(amount) })),
    dispute: () => gateway.change((desk) => openDispute(desk, { payment_intent, amount: 700 })),
  }
}

test('a payment with a refund and a dispute whose events arrived is the same at the gateway', async () => {
  const { compare, pay, refundInDashboard, dispute } = await cardOrder()
  await pay()
  await notify('refund.created', refundInDashboard(500))
  await notify('charge.dispute.created', dispute())

  assert.deepEqual(await compare(), [])
})

test('a capture that is unknown here is found', async () => {
  const { order, compare } = await cardOrder()
  await confirm(order.reference)

  assert.deepEqual(await compare(), [
    {
      invariant: 'gateway.captured',
      subject: `payments ${order.paymentId}`,
      expected: '2500 EUR',
      found: 'not captured',
    },
  ])
})

test('a refund that is unknown here is found, with the sum of the refunds', async () => {
  const { order, compare, pay, refundInDashboard } = await cardOrder()
  await pay()
  const { id } = refundInDashboard(500)

  assert.deepEqual(await compare(), [
    { invariant: 'gateway.refunded', subject: `payments ${order.paymentId}`, expected: '500', found: '0' },
    { invariant: 'gateway.refund', subject: id, expected: 'succeeded', found: 'none' },
  ])
})

test('a refund and a dispute whose end is unknown here are found', async () => {
  const { compare, pay, refundInDashboard, dispute } = await cardOrder()
  await pay('pm_card_pendingRefund')
  const refund = refundInDashboard(500)
  await notify('refund.created', refund)
  const disputed = dispute()
  await notify('charge.dispute.created', disputed)
  gateway.change((desk) => settleRefund(desk, refund.id, 'failed'))
  gateway.change((desk) => changeDispute(desk, disputed.id, 'lost'))

  assert.deepEqual(await compare(), [
    { invariant: 'gateway.refund', subject: refund.id, expected: 'failed', found: 'pending' },
    {
      invariant: 'gateway.dispute',
      subject: disputed.id,
      expected: 'lost, 700 EUR',
      found: 'needs_response, 700 EUR',
    },
  ])
})

test('a disputed amount that has changed unknown here is found', async () => {
  const { compare, pay, dispute } = await cardOrder()
  await pay()
  const disputed = dispute()
  await notify('charge.dispute.created', disputed)
  gateway.change(({ books }) => books.put('disputes', { ...disputed, amount: 900 }))

  assert.deepEqual(await compare(), [
    {
      invariant: 'gateway.dispute',
      subject: disputed.id,
      expected: 'needs_response, 900 EUR',
      found: 'needs_response, 700 EUR',
    },
  ])
})

test('a payment that is recorded as closed, and is open at the gateway, is found', async () => {
  const { order, shop, compare } = await cardOrder()
  await inStore(shop.store.id, (tx) =>
    Payment.in(tx).findById(order.paymentId).patch({ closedAtGateway: now() }),
  )

  assert.deepEqual(await compare(), [
    {
      invariant: 'gateway.closed',
      subject: `payments ${order.paymentId}`,
      expected: 'open',
      found: 'closed',
    },
  ])
})

test('payments outside the window are not read at the gateway', async () => {
  const { order, compare } = await cardOrder()
  await confirm(order.reference)

  assert.deepEqual(await compare({ from: inMs(-DAY_MS), to: inMs(-DAY_MS / 2) }), [])
})

testBooks()
