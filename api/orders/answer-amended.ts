import type { Reply } from '#api/platform/output/reply.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { awaitRefund } from '#shared/refunds/await-refund.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { showOrder } from './show-order.ts'

/** Answers with the order as it is: 202 while its refund is under way. Throws 502 when that failed. */
export async function answerAmended(
  storeId: string,
  orderId: string,
  refundId: string | null,
  waitMs: number,
): Promise<Reply> {
  const refund = refundId ? await awaitRefund(storeId, refundId, waitMs) : null
  if (refund?.status === 'failed' || refund?.status === 'canceled')
    throw RefundErrors.gatewayRefused({ reason: refund.failureReason })
  return inStore(storeId, (tx) => showOrder(tx, orderId, refund?.isUnderWay ? 202 : 200))
}
