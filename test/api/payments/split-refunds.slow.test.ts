import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { insertVoucher } from '#shared/vouchers/lifecycle/issue-voucher.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { confirmIntent, createIntent } from '#test/sandbox/gateway/payment-intents.ts'
import { createRefund, settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, confirm, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { readVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

// Refunds that the gateway makes of a payment whose money is not, or not only, the order's.

/** An order of 25.00 that the buyer pays by card, and the gateway captures another amount, in cents. */
async function scene({ captured = 2_600, currency = 'eur', card = 'pm_card_visa' } = {}) {
  const shop = await buildShop(10)
  const order = await placeCardOrder(shop, 2)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  const path = `/admin/orders/${order.id}`
  const payment = { payment_intent: order.reference }
  return {
    shop,
    order,
    token,
    payment,
    read: async () => (await request(`GET ${path}`, { token })).data,
    async capture() {
      const intent = await confirm(order.reference, card)
      gateway.change((context) => {
        const charge = context.books.find('charges', String(intent.latest_charge)) ?? assert.fail()
        const stored = context.books.find('payment_intents', order.reference) ?? assert.fail()
        context.books.put('charges', { ...charge, amount: captured, amount_captured: captured, currency })
        context.books.put('payment_intents', { ...stored, amount_received: captured, currency })
      })
      await notify('payment_intent.succeeded', { ...intent, amount_received: captured, currency })
    },
    /** The gateway captures 25.00 under the same payment, in another intent. */
    async captureSecond() {
      const intent = gateway.change((context) => {
        const { id } = createIntent(context, { amount: '2500', currency: 'eur' })
        return confirmIntent(context, id, { payment_method: 'pm_card_visa' })
      })
      const metadata = { store_id: shop.store.id, order_id: order.id, payment_id: order.paymentId }
      await notify('payment_intent.succeeded', { ...intent, metadata })
    },
    async refundInDashboard(amount: number) {
      const made = gateway.change((context) => createRefund(context, { ...payment, amount: `${amount}` }))
      await notify('refund.created', made)
      return made
    },
    async decide(decision: 'accept' | 'return') {
      const body = { payment_id: order.paymentId, decision }
      await request(`POST ${path}/resolve-payment`, { token, body })
      await drainJobs()
    },
    patch: (status: string) => request(`PATCH ${path}`, { token, body: { status } }),
  }
}

/** The order also buys a gift voucher of 20.00, before it is paid. */
const addVoucher = (tx: StoreTx, order: { id: string; paymentId: string }) =>
  OrderItem.in(tx)
    .insert({
      orderId: order.id,
      position: 1,
      productId: null,
      variantId: null,
      name: 'Gift',
      sku: 'gift',
      optionValues: {},
      imageUrl: null,
      quantity: 1,
      unitPriceMinor: 2_000n,
      lineTotalMinor: 2_000n,
      discountMinor: 0n,
      taxMinor: 0n,
      totalMinor: 2_000n,
      replacesItemId: null,
    })
    .then(async ({ id: orderItemId }) => {
      await Order.in(tx).findById(order.id).patch({ subtotalMinor: 4_000n, totalMinor: 4_500n })
      await Payment.in(tx).findById(order.paymentId).patch({ amountMinor: 4_500n })
      return insertVoucher(tx, {
        amountMinor: 2_000n,
        currency: 'EUR',
        orderId: order.id,
        orderItemId,
        toName: 'Grace',
        toEmail: 'grace@example.test',
        fromName: 'Ada',
        fromEmail: 'ada@example.test',
        awaitsPayment: true,
        isActive: false,
      })
    })

test('a whole refund made before an acceptance returns the surplus and refunds the order', async () => {
  const { capture, refundInDashboard, decide, read, patch } = await scene()
  await capture()
  await refundInDashboard(2_600)

  await decide('accept')

  assert.partialDeepStrictEqual(await read(), {
    status: 'refunded',
    amount_captured: 25,
    amount_refunded: 25,
    surpluses: [{ status: 'returned', amount: 1 }],
  })
  assert.equal((await patch('shipped')).error_code, 'order.invalid_transition')
})

test('a partial refund made before an acceptance returns the surplus; the rest refunds the order', async () => {
  const { capture, refundInDashboard, decide, read } = await scene()
  await capture()
  await refundInDashboard(1_000)

  await decide('accept')

  assert.partialDeepStrictEqual(await read(), {
    status: 'processing',
    amount_refunded: 9,
    surpluses: [{ status: 'returned', amount: 1 }],
  })
})

test('a lost dispute of a payment with a surplus refunds the order, too', async () => {
  const { capture, decide, read, payment } = await scene()
  await capture()
  const opened = gateway.change((context) => openDispute(context, payment))
  await notify('charge.dispute.created', opened)
  await decide('accept')

  const lost = gateway.change((context) => changeDispute(context, opened.id, 'lost'))
  await notify('charge.dispute.closed', lost)

  assert.partialDeepStrictEqual(await read(), {
    status: 'refunded',
    amount_refunded: 25,
    surpluses: [{ status: 'returned', amount: 1 }],
  })
})

test('a refund of a surplus and of the order that the bank sends back is owed in both again', async () => {
  const { capture, refundInDashboard, decide, read } = await scene()
  await capture()
  const made = await refundInDashboard(1_000)
  await decide('accept')
  gateway.change((context) => {
    const charge = context.books.find('charges', made.charge) ?? assert.fail()
    context.books.put('charges', { ...charge, amount_refunded: 0, refunded: false })
  })

  await notify('refund.failed', { ...made, status: 'failed', failure_reason: 'lost_or_stolen_card' })

  assert.partialDeepStrictEqual(await read(), {
    status: 'processing',
    amount_refunded: 0,
    surpluses: [{ status: 'owed', amount: 1, amount_returned: 0 }],
  })
  moveClock(6 * MINUTE_MS)
  await drainJobs()
  assert.partialDeepStrictEqual(await read(), { amount_refunded: 0, surpluses: [{ status: 'returned' }] })
})

for (const currency of ['eur', 'usd'])
  test(`a refund of a mismatched ${currency} payment is not one of the order that another payment paid`, async () => {
    const { capture, captureSecond, refundInDashboard, decide, read } = await scene({
      captured: 2_400,
      currency,
    })
    await capture()
    await captureSecond()
    await refundInDashboard(2_400)
    assert.partialDeepStrictEqual(await read(), { amount_captured: 25, amount_refunded: 0 })

    await decide('return')

    assert.partialDeepStrictEqual(await read(), {
      status: 'processing',
      amount_captured: 25,
      amount_refunded: 0,
      surpluses: [{ reason: 'rejected', status: 'returned', amount: 24 }],
    })
  })

test('a refund that is in progress while a payment is returned counts as returned', async () => {
  const { capture, refundInDashboard, decide, read, order } = await scene({
    captured: 2_400,
    card: 'pm_card_pendingRefund',
  })
  await capture()
  const made = await refundInDashboard(1_000)
  await decide('return')

  await notify(
    'refund.updated',
    gateway.change((context) => settleRefund(context, made.id, 'succeeded')),
  )
  assert.partialDeepStrictEqual((await read()).surpluses, [{ status: 'owed', amount_returned: 10 }])
  moveClock(6 * MINUTE_MS)
  await drainJobs()

  const amounts = gateway
    .ledger()
    .refunds.filter(({ payment_intent }) => payment_intent === order.reference)
    .map(({ amount }) => amount)
  assert.deepEqual(amounts, [1_000, 1_400])
})

for (const decision of ['accept', 'return'] as const)
  test(`a refund of goods before the decision "${decision}" leaves a bought voucher whole`, async () => {
    const { shop, order, token, capture, refundInDashboard, decide } = await scene({ captured: 4_400 })
    const voucher = await inStore(shop.store.id, (tx) => addVoucher(tx, order))
    await capture()
    await refundInDashboard(500)

    await decide(decision)
    if (decision === 'return') await request(`POST /admin/orders/${order.id}/mark-paid`, { token, body: {} })

    assert.partialDeepStrictEqual(await readVoucher(shop.store, voucher.id), {
      isActive: true,
      amountMinor: 2_000n,
    })
  })

test('a whole refund before an acceptance withdraws the bought voucher', async () => {
  const { shop, order, capture, refundInDashboard, decide } = await scene({ captured: 4_400 })
  const voucher = await inStore(shop.store.id, (tx) => addVoucher(tx, order))
  await capture()
  await refundInDashboard(4_400)

  await decide('accept')

  assert.partialDeepStrictEqual(await readVoucher(shop.store, voucher.id), {
    isActive: false,
    amountMinor: 0n,
  })
})

testBooks()
