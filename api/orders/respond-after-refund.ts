import type { Reply } from '#api/platform/output/reply.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { awaitRefund } from '#shared/refunds/await-refund.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { respondWithOrder } from './respond-with-order.ts'

/** Responds with the order; with 202 while its refund is in progress. Throws 502 if the refund failed. */
export async function respondAfterRefund(
  storeId: string,
  orderId: string,
  refundId: string | null,
  waitMs: number,
): Promise<Reply> {
  const refund = refundId ? await awaitRefund(storeId, refundId, waitMs) : null
  if (refund?.hasFailed) throw RefundErrors.gatewayError({ reason: refund.failureReason })
  return inStore(storeId, (tx) => respondWithOrder(tx, orderId, refund?.isInProgress ? 202 : 200))
}
