import type { Reply } from '#api/platform/output/reply.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { awaitRefund } from '#shared/refunds/refund.ts'
import { showOrder } from './show-order.ts'

/** Responds with the order: 202 while its refund is in progress. Throws 502 when the refund failed. */
export async function respondWithOrder(
  storeId: string,
  orderId: string,
  refundId: string | null,
  waitMs: number,
): Promise<Reply> {
  const refund = refundId ? await awaitRefund(storeId, refundId, waitMs) : null
  if (refund?.status === 'failed' || refund?.status === 'canceled')
    throw RefundErrors.gatewayRefused({ reason: refund.failureReason })
  return inStore(storeId, (tx) => showOrder(tx, orderId, refund?.isInProgress ? 202 : 200))
}
