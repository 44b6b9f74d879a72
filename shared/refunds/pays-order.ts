import type { Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Refund } from './refund.ts'

/**
 * Whether a refund can refund its order beyond a surplus. Money of a mismatched payment is not the order's until staff
 * decide, and money in another currency never is.
 */
export async function paysOrder(
  tx: StoreTx,
  order: Pick<Order, 'currency'>,
  { paymentId, currency }: Pick<Refund, 'paymentId' | 'currency'>,
): Promise<boolean> {
  if (currency !== order.currency) return false
  const payment = paymentId ? await Payment.in(tx).findById(paymentId).select('status') : undefined
  return payment?.status !== 'mismatched'
}
