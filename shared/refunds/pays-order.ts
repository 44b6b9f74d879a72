import type { Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Refund } from './refund.ts'

/**
 * Whether a refund can refund its order, not only a surplus. Money of a mismatched payment belongs to the order only
 * after staff accept it. Money in another currency never belongs to it.
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
