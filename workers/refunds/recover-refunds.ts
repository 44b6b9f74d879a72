import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { log } from '#shared/platform/log.ts'
import { inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { findRefundsWithoutJob } from '#shared/refunds/gateway/find-refunds-without-job.ts'
import { recoverRefunds as job, sendRefund } from '#shared/refunds/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

// The job of a younger refund may not be visible yet.
const STRANDED_AFTER_MS = 2 * MINUTE_MS

/** Enqueues a job for every refund in progress without one. An extra job is harmless: it finds the refund settled. */
export const recoverRefunds = handle(job, async () => {
  for (const { storeId, refundId } of await findRefundsWithoutJob(inMs(-STRANDED_AFTER_MS))) {
    await inStore(storeId, (tx) => enqueue(tx, sendRefund, { refundId }))
    log.warn({ storeId, refundId }, 'a refund in progress had no job')
  }
})
