import { Order } from '#shared/orders/order.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The orders whose buyer may still wait for money after a failed refund: staff can pay it by other means. */
export async function findOrdersWithFailedRefund(tx: StoreTx): Promise<string[]> {
  return [...new Set([...(await ordersWithBouncedRefund(tx)), ...(await ordersWithRefusedSurplus(tx))])]
}

/**
 * The orders with money left and a failed refund that no later one replaces. A refund that the gateway refused at once
 * is replaced by any later one of the store; one that it had accepted, by later ones that pay as much.
 */
async function ordersWithBouncedRefund(tx: StoreTx): Promise<string[]> {
  const { rows } = await tx.knex.raw<{ rows: { orderId: string }[] }>(
    `select failed.order_id as "orderId"
     from refunds failed
     cross join lateral (
       select
         count(*) filter (where refund.origin = 'store') as store_refunds,
         coalesce(
           sum(refund.amount_minor - refund.surplus_minor) filter (where refund.status not in ('failed', 'canceled')),
           0
         ) as paid_minor
       from refunds refund
       where refund.store_id = failed.store_id and refund.order_id = failed.order_id and refund.id > failed.id
     ) later
     where failed.store_id = ? and failed.origin in ('store', 'gateway') and failed.status in ('failed', 'canceled')
       and case when failed.gateway_reference is null then later.store_refunds = 0
         else later.paid_minor < failed.amount_minor - failed.surplus_minor - failed.kept_minor end`,
    [tx.storeId],
  )
  const orders = await Order.in(tx)
    .whereIn(
      'id',
      rows.map(({ orderId }) => orderId),
    )
    .whereRaw('amount_captured_minor > amount_refunded_minor')
    .select('id')
  return orders.map(({ id }) => id)
}

/** The orders with a surplus that is still owed and whose return the gateway has refused. */
async function ordersWithRefusedSurplus(tx: StoreTx): Promise<string[]> {
  const refused = await Surplus.in(tx)
    .where('status', 'owed')
    .whereNotNull('failure_reason')
    .distinct('order_id')
  return refused.map(({ orderId }) => orderId)
}
