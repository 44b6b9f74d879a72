import { type Reply, reply } from '#api/platform/output/reply.ts'
import { loadOrderViews } from '#shared/orders/load-order-view.ts'
import { findOrder } from '#shared/orders/order.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { awaitRefund } from '#shared/refunds/refund.ts'

/** Responds with an order and its `ETag`. */
export async function replyWithOrder(tx: StoreTx, orderId: string, status = 200): Promise<Reply> {
  const order = await findOrder(tx, orderId)
  const [view] = await loadOrderViews(tx, [order])
  return reply(status, view, { ETag: entityTag(order) })
}

/** Responds with the order; with 202 while its refund is in progress. Throws 502 if the refund failed. */
export async function respondWithOrder(
  storeId: string,
  orderId: string,
  refundId: string | null,
  waitMs: number,
): Promise<Reply> {
  const refund = refundId ? await awaitRefund(storeId, refundId, waitMs) : null
  if (refund?.hasFailed) throw RefundErrors.gatewayError({ reason: refund.failureReason })
  return inStore(storeId, (tx) => replyWithOrder(tx, orderId, refund?.isInProgress ? 202 : 200))
}
