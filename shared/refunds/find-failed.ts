import { Order } from '#shared/orders/order.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * The orders with money left for whose failed refund the buyer may still wait. One that the gateway had accepted, e.g.
 * whose money a bank returned later, waits until later refunds have paid as much: a smaller one does not repeat it. One
 * that the gateway refused at once waits until another refund is made. And the orders with a surplus that the gateway
 * has refused to return: while it does, staff can pay the buyer by other means.
 */
export async function findOrdersWithFailedRefund(tx: StoreTx): Promise<string[]> {
  const { rows } = await tx.knex.raw<{ rows: { orderId: string }[] }>(
    `select r.order_id as "orderId" from refunds r
     cross join lateral (
       select count(*) filter (where l.origin = 'store') as made,
         coalesce(sum(l.amount_minor - l.surplus_minor) filter (where l.status not in ('failed', 'canceled')), 0) as paid
       from refunds l
       where l.store_id = r.store_id and l.order_id = r.order_id and l.id > r.id) later
     where r.store_id = ? and r.origin in ('store', 'gateway') and r.status in ('failed', 'canceled')
       and case when r.gateway_reference is null then later.made = 0
         else later.paid < r.amount_minor - r.surplus_minor - r.kept_minor end`,
    [tx.storeId],
  )
  const ids = rows.map(({ orderId }) => orderId)
  const orders = await Order.in(tx)
    .whereIn('id', ids)
    .whereRaw('amount_captured_minor > amount_refunded_minor')
    .select('id')
  const refused = await Surplus.in(tx)
    .where('status', 'owed')
    .whereNotNull('failure_reason')
    .distinct('order_id')
  return [...new Set([...orders.map(({ id }) => id), ...refused.map(({ orderId }) => orderId)])]
}
