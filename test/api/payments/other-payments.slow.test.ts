import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { applyNotification } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { bookExcess } from '#shared/refunds/booking/book-excess.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { confirmIntent, createIntent } from '#test/sandbox/gateway/payment-intents.ts'
import { createRefund } from '#test/sandbox/gateway/refunds.ts'
import { eventsOf } from '#test/support/books/read-refunds.ts'
import { assertBooks, testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, confirm, fillCart, referenceOf } from '#test/support/builders/place-orders.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify, sendEvent } from '#test/support/processes/notify.ts'
import { handlers } from '#workers/handlers.ts'

const GIFT = {
  amount: 25,
  to_name: 'Grace',
  to_email: 'grace@example.test',
  from_name: 'Ada',
  from_email: 'ada@example.test',
}

/** An order of 25.00, and a gift voucher of 25.00 where `buysVoucher`, with the payment of its checkout. */
async function unpaidOrder({ buysVoucher = false } = {}) {
  const shop = await buildShop(10)
  const { store } = shop
  const { token } = await buildStaff(store, { role: 'owner' })
  const cart = await fillCart(store, shop.variantId, 2)
  if (buysVoucher) await request('POST /cart/items', { store, cart, body: { voucher: GIFT } })
  const { data } = await checkOut(shop, { cart })
  await drainJobs()
  const { id, access_token: accessToken } = data.order
  const paymentId: string = data.payment.id
  const reference = await referenceOf(store, paymentId)
  const staff = (line: string, body?: object) => {
    const [method, path] = line.split(' ')
    return request(`${method} /admin/orders/${id}${path ?? ''}`, {
      token,
      key: randomUUID(),
      headers: { Prefer: 'respond-async' },
      ...(body ? { body } : {}),
    })
  }
  return {
    store,
    id,
    paymentId,
    reference,
    staff,
    read: async () => (await staff('GET')).data,
    vouchers: () => inStore(store.id, (tx) => Voucher.in(tx).where('order_id', id)),
    /** The gateway captures something else than was requested, in Stripe's units. */
    async captureOther(change: { amount?: number; currency?: string }, card?: string) {
      gateway.change((context) => {
        const intent = context.books.find('payment_intents', reference)
        if (intent) context.books.put('payment_intents', { ...intent, ...change })
      })
      await notify('payment_intent.succeeded', await confirm(reference, card))
    },
    async returnPayment() {
      await staff('POST /resolve-payment', { payment_id: paymentId, decision: 'return' })
      await drainJobs()
    },
    /** The buyer pays with another payment. Only its notification is handled. */
    async payAgain() {
      const { data } = await request(`POST /orders/${id}/pay?access_token=${accessToken}`, {
        store,
        key: randomUUID(),
        headers: { Prefer: 'respond-async' },
        body: {},
      })
      await drainJobs()
      await sendEvent('payment_intent.succeeded', await confirm(await referenceOf(store, data.payment.id)))
      await drainJobs(handlers.filter(({ job }) => job === applyNotification))
    },
    async loseDispute() {
      const dispute = gateway.change((context) => openDispute(context, { payment_intent: reference }))
      await notify(
        'charge.dispute.closed',
        gateway.change((context) => changeDispute(context, dispute.id, 'lost')),
      )
    },
  }
}

test('a lost dispute of a returned payment in another currency withdraws no voucher of its order', async () => {
  const order = await unpaidOrder({ buysVoucher: true })
  await order.captureOther({ amount: 5_000, currency: 'usd' })
  await order.returnPayment()
  await order.payAgain()

  await order.loseDispute()

  assert.partialDeepStrictEqual(await order.read(), { amount_captured: 50, amount_refunded: 0 })
  assert.partialDeepStrictEqual(await order.vouchers(), [{ amountMinor: 2_500n, isActive: true }])
})

test('after a lost dispute of a returned payment, another payment of the order is refunded by its amount', async () => {
  const order = await unpaidOrder()
  await order.captureOther({ amount: 2_400 })
  await order.returnPayment()
  await order.loseDispute()
  assert.partialDeepStrictEqual(await order.read(), { status: 'pending', amount_refunded: 0 })

  await order.payAgain()

  assert.partialDeepStrictEqual(await order.read(), {
    status: 'processing',
    amount_captured: 25,
    amount_refunded: 24,
  })
  await assertBooks([order.store.id])
})

test('after a lost dispute of a returned payment, staff mark the order as paid and it is refunded by its amount', async () => {
  const order = await unpaidOrder()
  await order.captureOther({ amount: 2_400 })
  await order.returnPayment()
  await order.loseDispute()

  const { data } = await order.staff('POST /mark-paid', {})

  assert.partialDeepStrictEqual(data, { status: 'processing', amount_captured: 25, amount_refunded: 24 })
})

test('a refund that exceeds its payment changes nothing, and emits nothing, while nothing is left', async () => {
  const order = await unpaidOrder()
  await order.captureOther({ amount: 2_400 })
  await order.returnPayment()
  await order.loseDispute()
  const before = await eventsOf(order.store, order.id, 'order.updated')

  await inStore(order.store.id, async (tx) => bookExcess(tx, await lockOrder(tx, order.id)))

  assert.deepEqual(await eventsOf(order.store, order.id, 'order.updated'), before)
})

test('a pending refund of a mismatched payment leaves an order refundable that another payment paid', async () => {
  const order = await unpaidOrder()
  await order.captureOther({ amount: 2_400 }, 'pm_card_pendingRefund')
  // The gateway has opened the payment twice.
  const second = gateway.change((context) => {
    const { id } = createIntent(context, { amount: '2500', currency: 'eur' })
    return confirmIntent(context, id, { payment_method: 'pm_card_visa' })
  })
  const metadata = { store_id: order.store.id, payment_id: order.paymentId }
  await notify('payment_intent.succeeded', { ...second, metadata })
  await notify(
    'refund.created',
    gateway.change((context) => createRefund(context, { payment_intent: order.reference })),
  )

  const { status } = await order.staff('POST /refunds', { amount: 25 })
  await drainJobs()

  assert.equal(status, 202)
  assert.partialDeepStrictEqual(await order.read(), { status: 'refunded', amount_refunded: 25 })
})

test('an event of another intent that names a payment neither fails nor closes it', async () => {
  const order = await unpaidOrder()
  const stray = gateway.change((context) => createIntent(context, { amount: '2500', currency: 'eur' }))
  const metadata = { store_id: order.store.id, payment_id: order.paymentId }

  await notify('payment_intent.canceled', { ...stray, metadata, status: 'canceled' })

  assert.partialDeepStrictEqual(await order.read(), {
    status: 'pending',
    payments: [{ status: 'requires_action' }],
  })
  await notify('payment_intent.succeeded', await confirm(order.reference))
  assert.partialDeepStrictEqual(await order.read(), { status: 'processing', surpluses: [] })
})

for (const isNamed of [false, true])
  test(`a refund and a dispute ${isNamed ? 'that name the store' : 'of an unknown intent'} are booked once the intent is known`, async () => {
    const order = await unpaidOrder()
    await notify('payment_intent.succeeded', await confirm(order.reference))
    // The gateway has opened the payment twice, and its later events arrive first.
    const second = gateway.change((context) => {
      const { id } = createIntent(context, { amount: '2500', currency: 'eur' })
      return confirmIntent(context, id, { payment_method: 'pm_card_visa' })
    })
    const payment = { payment_intent: second.id }
    const refund = gateway.change((context) => createRefund(context, { ...payment, amount: '1000' }))
    const dispute = gateway.change((context) => openDispute(context, { ...payment, amount: 700 }))
    const metadata = { store_id: order.store.id }
    await notify('refund.created', isNamed ? { ...refund, metadata } : refund)
    await notify('charge.dispute.created', isNamed ? { ...dispute, metadata } : dispute)
    assert.partialDeepStrictEqual(await order.read(), { surpluses: [], disputes: [] })

    await sendEvent('payment_intent.succeeded', {
      ...second,
      metadata: { ...metadata, payment_id: order.paymentId },
    })
    // A disputed payment cannot be refunded: its surplus stays owed.
    await drainJobs()

    assert.partialDeepStrictEqual(await order.read(), {
      amount_captured: 25,
      amount_refunded: 0,
      surpluses: [{ amount: 25, amount_returned: 10, status: 'owed' }],
      disputes: [{ status: 'needs_response', amount: 7 }],
    })
  })

testBooks()
