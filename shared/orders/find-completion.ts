import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { OrderHistory } from './order-history.ts'

/** When an order was completed, also if it was refunded since; null when it never was. */
export async function findCompletion(tx: StoreTx, orderId: string): Promise<Date | null> {
  const step = await OrderHistory.in(tx)
    .where({ order_id: orderId, to_status: 'complete' })
    .orderBy('created_at')
    .first()
  return step?.createdAt ?? null
}
