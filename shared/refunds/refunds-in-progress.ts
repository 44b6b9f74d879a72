import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { paysOrder } from './pays-order.ts'
import { Refund } from './refund.ts'
import { IN_PROGRESS_REFUND_STATUSES } from './states.ts'

const inProgressOf = (tx: StoreTx, orderId: string) =>
  Refund.in(tx)
    .where('order_id', orderId)
    .whereIn('status', [...IN_PROGRESS_REFUND_STATUSES])

/** Returns the store's refund of an order that is in progress. There is at most one. */
export const findStoreRefundInProgress = (tx: StoreTx, orderId: string): PromiseLike<Refund | undefined> =>
  inProgressOf(tx, orderId).where('origin', 'store').first()

/** Returns the ids of all refunds in progress of an order, including those that return a surplus. */
export const listRefundIdsInProgress = async (tx: StoreTx, orderId: string): Promise<string[]> =>
  (await inProgressOf(tx, orderId).select('id')).map(({ id }) => id)

/** Returns the refunds in progress that will refund an order, made by the store or at the gateway. */
export async function listOrderRefundsInProgress(tx: StoreTx, order: LockedOrder): Promise<Refund[]> {
  const inProgress = await inProgressOf(tx, order.id)
    .where('currency', order.currency)
    .whereRaw('amount_minor > surplus_minor')
  const paying: Refund[] = []
  for (const refund of inProgress) if (await paysOrder(tx, order, refund)) paying.push(refund)
  return paying
}
