import { lockOrder } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { createRefund } from './create-refund.ts'
import { Refund } from './refund.ts'
import { unrefundedMinor } from './refund-source.ts'

/**
 * Refunds a captured payment that its order does not need: the order was canceled, sold out, or paid twice. A second call
 * returns the refund in progress, or null. Throws `refund.in_progress` while another refund of the order is in progress:
 * try again later.
 */
export async function refundPayment(tx: StoreTx, paymentId: string): Promise<Refund | null> {
  const payment = await Payment.in(tx).findById(paymentId).where('status', 'captured')
  if (!payment) return null
  const order = await lockOrder(tx, payment.orderId)
  const refunds = await Refund.in(tx)
    .where('payment_id', paymentId)
    .whereNotIn('status', ['failed', 'canceled'])
  const inProgress = refunds.find((refund) => refund.isInProgress)
  const amountMinor = unrefundedMinor(payment, refunds)
  if (inProgress || amountMinor === 0n) return inProgress ?? null
  const draft = {
    amountMinor,
    gatewayAmountMinor: amountMinor,
    voucherAmountMinor: 0n,
    shippingAmountMinor: 0n,
    items: [],
  }
  const rest = { paymentId, reason: 'The order could no longer be served', restock: false }
  return createRefund(tx, order, { ...draft, ...rest }, 'system')
}
