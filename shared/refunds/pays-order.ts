import type { Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund } from './refund.ts'
import { IN_PROGRESS_STATUSES } from './states.ts'

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

/** The refunds in progress that will refund an order, which the caller has locked: by the store and at the gateway. */
export async function findOrderRefundsInProgress(tx: StoreTx, order: Order): Promise<Refund[]> {
  const inProgress = await Refund.in(tx)
    .where({ order_id: order.id, currency: order.currency })
    .whereRaw('amount_minor > surplus_minor')
    .whereIn('status', [...IN_PROGRESS_STATUSES])
  const paying: Refund[] = []
  for (const refund of inProgress) if (await paysOrder(tx, order, refund)) paying.push(refund)
  return paying
}
