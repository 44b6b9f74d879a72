import { db } from '#shared/platform/db/db.ts'
import { withoutPendingJob } from '#shared/platform/jobs/job-table.ts'
import { sendRefund } from '../jobs.ts'

interface RefundWithoutJob {
  storeId: string
  refundId: string
}

/** Refunds of all stores that were created before `createdBefore`, are in progress and have no job. */
export async function findRefundsWithoutJob(createdBefore: Date): Promise<RefundWithoutJob[]> {
  const { rows } = await db().raw<{ rows: RefundWithoutJob[] }>(
    'select store_id as "storeId", refund_id as "refundId" from refunds_in_progress(?)',
    [createdBefore],
  )
  return withoutPendingJob(sendRefund.queue, rows)
}
