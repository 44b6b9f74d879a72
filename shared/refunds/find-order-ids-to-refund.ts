import { Order } from '#shared/orders/order.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toSqlList } from '#shared/platform/states.ts'
import { FAILED_REFUND_STATUSES } from './states.ts'

const FAILED = toSqlList(FAILED_REFUND_STATUSES)

/**
 * Returns the ids of orders whose buyer may wait for money that only staff can return: a refund failed, or a surplus
 * does not go back through the gateway. Staff can pay by other means.
 */
export async function findOrderIdsToRefund(tx: StoreTx): Promise<string[]> {
  return [...new Set([...(await findIdsWithBouncedRefund(tx)), ...(await findIdsWithSurplusForStaff(tx))])]
}

/**
 * Returns the ids of orders with refundable money and a failed refund that no later refund replaces. If the gateway
 * refused the refund immediately, any later refund of the store replaces it. If it had accepted the refund, later
 * refunds replace it once their sum reaches its amount.
 */
async function findIdsWithBouncedRefund(tx: StoreTx): Promise<string[]> {
  const { rows } = await tx.knex.raw<{ rows: { orderId: string }[] }>(
    `select failed.order_id as "orderId"
     from refunds failed
     cross join lateral (
       select
         count(*) filter (where refund.origin = 'store') as store_refunds,
         coalesce(
           sum(refund.amount_minor - refund.surplus_minor) filter (where refund.status not in ${FAILED}),
           0
         ) as paid_minor
       from refunds refund
       where refund.store_id = failed.store_id and refund.order_id = failed.order_id and refund.id > failed.id
     ) later
     where failed.store_id = ? and failed.origin in ('store', 'gateway') and failed.status in ${FAILED}
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

/** Returns the ids of orders with an owed surplus that the gateway refused to return, or that no gateway captured. */
async function findIdsWithSurplusForStaff(tx: StoreTx): Promise<string[]> {
  const owed = await Surplus.in(tx)
    .where('status', 'owed')
    .where((either) =>
      either
        .whereNotNull('failure_reason')
        .orWhere((outside) => outside.whereNull('next_attempt_at').where('attempts', 0)),
    )
    .distinct('order_id')
  return owed.map(({ orderId }) => orderId)
}
