import { settleCommission } from '#shared/affiliates/commissions/settle-commission.ts'
import { addCartItem } from '#shared/cart/items/add-cart-item.ts'
import { addCartVoucher } from '#shared/cart/items/add-cart-voucher.ts'
import { checkOut } from '#shared/checkout/check-out.ts'
import type { CheckedOut } from '#shared/checkout/place-by-payment-method.ts'
import { recordDispute } from '#shared/disputes/record-dispute.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, now, setClock } from '#shared/platform/time/clock.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { returnSurplus } from '#shared/refunds/request/return-surplus.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { refundReturn } from '#shared/returns/lifecycle/refund-return.ts'
import { applyCapture } from '#shared/settlement/apply-capture.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { startSubscriptions } from '#shared/subscriptions/lifecycle/start-subscriptions.ts'
import { readRefunds } from '#test/support/books/read-refunds.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildAffiliate, buildCompleteOrder } from '#test/support/builders/affiliates.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildPaymentMethods } from '#test/support/builders/methods.ts'
import { ADDRESS, buildOrder, buildPaidOrder, readStore } from '#test/support/builders/orders.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildReceivedReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { rollUpStore } from '#workers/reports/roll-up-reports.ts'

/**
 * A store with entries in every book: card orders that are partly refunded, paid twice, disputed and canceled, orders
 * that spend and buy vouchers, one with a credit, and one that awaits payment; a subscription that is active, and one
 * that awaits payment; commissions of an affiliate; stored sums of reports.
 */
export async function buildBooks(): Promise<{ id: string }> {
  const store = await buildStore()
  const coupon = await buildCoupon(store)
  await buildPartlyRefunded(store, coupon.code)
  await buildPaidTwice(store)
  await buildDisputed(store)
  await buildOrder(store, { couponCode: coupon.code })
  await buildVoucherOrders(store)
  await buildCredited(store)
  await buildSubscription(store)
  await buildSubscription(store, { paymentMethod: 'card' })
  await buildCommissions(store)
  await storeReports(store)
  return store
}

/** Stores what reports add up of the day of these orders, as the worker does when it has passed. */
async function storeReports(store: { id: string }): Promise<void> {
  const restore = setClock(() => new Date(Date.now() + 2 * DAY_MS))
  await rollUpStore(store.id)
  restore()
}

/** An affiliate who has earned by two orders, one refunded in part and one wholly. */
async function buildCommissions(store: { id: string }): Promise<void> {
  const affiliate = await buildAffiliate(store)
  for (const amountMinor of [1_250n, 2_500n]) {
    const order = await buildCompleteOrder(store, { affiliateId: affiliate.id })
    await inStore(store.id, async (tx) => {
      await settleCommission(tx, order.id)
      await requestRefund(tx, order.id, { amountMinor }, requester('system'))
      await settleCommission(tx, order.id)
    })
  }
}

/** An order of which a returned unit is credited. */
async function buildCredited(store: { id: string }): Promise<void> {
  const order = await buildShippedOrder(store)
  const { id } = await buildReceivedReturn(store, order, { action: 'credit' })
  await inStore(store.id, (tx) => refundReturn(tx, id, {}, 'system'))
}

async function buildPartlyRefunded(store: { id: string }, couponCode: string): Promise<void> {
  const [variant] = (await buildProduct(store)).variants
  const items = [{ variantId: variant?.id ?? '', quantity: 2 }]
  const { id: customerId } = await buildCustomer(store)
  const order = await buildPaidOrder(store, { customerId, couponCode, items })
  const units = [{ orderItemId: order.items[0]?.id ?? '', quantity: 1 }]
  await inStore(store.id, (tx) =>
    requestRefund(tx, order.id, { items: units, restock: true }, requester('system')),
  )
  await settleAll(store, order.id)
}

/** Staff mark the order as paid, and the buyer pays by card all the same. */
async function buildPaidTwice(store: { id: string }): Promise<void> {
  const order = await buildOrder(store)
  await inStore(store.id, async (tx) => {
    await markOrderPaid(tx, order.id, 'system')
    await captureOpened(tx, order.paymentId ?? '', order)
    for (const { id } of await listSurpluses(tx, order.id)) await returnSurplus(tx, id)
  })
  await settleAll(store, order.id)
}

async function captureOpened(
  tx: StoreTx,
  paymentId: string,
  { totalMinor, currency }: { totalMinor: bigint; currency: string },
): Promise<void> {
  const reference = `pi_built_${nextNumber()}`
  await recordOpenedPayment(tx, paymentId, { reference, clientSecret: `${reference}_secret_built` })
  await applyCapture(tx, paymentId, { reference, amountMinor: totalMinor, currency })
}

async function buildDisputed(store: { id: string }): Promise<void> {
  const { reference } = await buildPaidOrder(store)
  const dispute = {
    provider: 'stripe',
    reference: `dp_${nextNumber()}`,
    paymentReference: reference,
    status: 'lost',
    reason: 'fraudulent',
    amountMinor: 700n,
    currency: 'EUR',
    respondBy: null,
    openedAt: now(),
  } as const
  await inStore(store.id, (tx) => recordDispute(tx, dispute, null))
}

/** Orders paid by a voucher and a transfer: one buys a voucher, whose price is refunded in part; one awaits payment. */
async function buildVoucherOrders(store: { id: string }): Promise<void> {
  await buildPaymentMethods(store)
  const { code } = await buildVoucher(store, { amountMinor: 600n })
  const paid = await buyVoucher(store, { voucherCode: code })
  await inStore(store.id, (tx) => markOrderPaid(tx, paid.order.id, 'system'))
  await inStore(store.id, (tx) =>
    requestRefund(tx, paid.order.id, { amountMinor: 1_500n }, requester('system')),
  )
  await buyVoucher(store, { voucherCode: code })
}

async function buyVoucher(
  store: { id: string },
  { voucherCode }: { voucherCode: string },
): Promise<CheckedOut> {
  const [variant] = (await buildProduct(store, { priceMinor: 500n })).variants
  const visit = await readStore(store.id)
  return inStore(store.id, async (tx) => {
    const guest = { customerId: null, cartToken: null }
    const { token = null } = await addCartItem(tx, guest, { variantId: variant?.id ?? '', quantity: 1 })
    const holder = { customerId: null, cartToken: token }
    await addCartVoucher(tx, visit.currency, holder, {
      amountMinor: 1_000n,
      fromName: 'Ada',
      fromEmail: 'ada@example.test',
      toName: 'Grace',
      toEmail: 'grace@example.test',
    })
    const shipping = await tx.knex('shipping_methods').first('id')
    const request = {
      email: `buyer-${nextNumber()}@example.test`,
      firstname: 'Ada',
      lastname: 'Byron',
      telephone: '+49 431 1234',
      shippingAddress: ADDRESS,
      shippingMethodId: shipping.id,
      paymentMethod: 'bank_transfer',
      voucherCode,
    }
    return checkOut(tx, { store: visit, language: 'en', holder, request }, startSubscriptions)
  })
}

/** Settles the refunds of an order, as the gateway does. */
async function settleAll(store: { id: string }, orderId: string): Promise<void> {
  for (const { id } of await readRefunds(store, orderId))
    await inStore(store.id, (tx) =>
      settleRefund(tx, id, {
        status: 'succeeded',
        reference: `re_built_${nextNumber()}`,
        failureReason: null,
      }),
    )
}
