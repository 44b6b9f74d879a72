import { withoutPendingJob } from '#shared/platform/jobs/pending-jobs.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { findDueRows } from '#shared/stores/find-due-rows.ts'

interface RefundWithoutJob {
  storeId: string
  refundId: string
}

/** Returns the refunds in progress of all stores that have no job and were created before `createdBefore`. */
export async function findRefundsWithoutJob(createdBefore: Date): Promise<RefundWithoutJob[]> {
  const refunds = await findDueRows<RefundWithoutJob>(
    'select store_id as "storeId", refund_id as "refundId" from refunds_in_progress(?)',
    [createdBefore],
  )
  return withoutPendingJob(sendRefund.queue, refunds)
}
