import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { holdWaitingJob } from '#shared/platform/jobs/waiting-jobs.ts'
import { settleShortfall } from '#shared/vouchers/jobs.ts'

/** Enqueues the job that follows a change of a voucher's shortfall, unless it waits already. */
export async function enqueueShortfallSettlement(tx: StoreTx, voucherId: string): Promise<void> {
  const payload = { voucherId }
  if (!(await holdWaitingJob(tx, settleShortfall, payload))) await enqueue(tx, settleShortfall, payload)
}
