import { lockOrder } from '#shared/orders/lock-order.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { leftOf } from './find-source.ts'
import { openRefund } from './open-refund.ts'
import { Refund } from './refund.ts'

/**
 * Gives a payment back that succeeded when its order could no longer be served: canceled meanwhile, sold out, or paid
 * twice. Running it again gives nothing back twice. Throws `refund.in_progress` while another refund of the order is
 * under way: try again later.
 */
export async function refundPayment(tx: StoreTx, paymentId: string): Promise<Refund | null> {
  const payment = await Payment.in(tx).findById(paymentId).where('status', 'captured')
  if (!payment) return null
  const order = await lockOrder(tx, payment.orderId)
  const refunds = await Refund.in(tx)
    .where('payment_id', paymentId)
    .whereNotIn('status', ['failed', 'canceled'])
  const underWay = refunds.find((refund) => refund.isUnderWay)
  const amountMinor = leftOf(payment, refunds)
  if (underWay || amountMinor === 0n) return underWay ?? null
  const draft = {
    amountMinor,
    gatewayAmountMinor: amountMinor,
    voucherAmountMinor: 0n,
    shippingAmountMinor: 0n,
    items: [],
  }
  const why = { paymentId, reason: 'The order could no longer be served', restock: false }
  return openRefund(tx, order, { ...draft, ...why }, 'system')
}
