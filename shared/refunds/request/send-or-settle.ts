import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { findRefund, type Refund } from '#shared/refunds/refund.ts'
import { SUCCEEDED_WITHOUT_GATEWAY, settleRefund } from '#shared/refunds/settle/settle-refund.ts'

/**
 * Enqueues the sending of a refund to the gateway. A refund without a gateway payment is settled immediately instead.
 * Returns the refund as it is now.
 */
export async function sendOrSettle(tx: StoreTx, refund: Refund): Promise<Refund> {
  if (refund.paymentId) {
    await enqueue(tx, sendRefund, { refundId: refund.id })
    return refund
  }
  await settleRefund(tx, refund.id, SUCCEEDED_WITHOUT_GATEWAY)
  return findRefund(tx, refund.id)
}
