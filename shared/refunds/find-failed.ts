import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * The orders with money left whose last refund by the store failed: the gateway refused it, or a bank returned its money
 * later. The buyer may still wait for it.
 */
export async function findOrdersWithFailedRefund(tx: StoreTx): Promise<string[]> {
  const { rows } = await tx.knex.raw<{ rows: { orderId: string }[] }>(
    `select r.order_id as "orderId" from refunds r
     where r.store_id = ? and r.origin = 'store' and r.status in ('failed', 'canceled') and not exists (
       select from refunds l
       where l.store_id = r.store_id and l.order_id = r.order_id and l.origin = 'store' and l.id > r.id)`,
    [tx.storeId],
  )
  const ids = rows.map(({ orderId }) => orderId)
  const orders = await Order.in(tx)
    .whereIn('id', ids)
    .whereRaw('amount_captured_minor > amount_refunded_minor')
    .select('id')
  return orders.map(({ id }) => id)
}
