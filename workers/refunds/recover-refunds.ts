import { JOB_LOST_AFTER_MS } from '#shared/platform/jobs/pending-jobs.ts'
import { log } from '#shared/platform/log.ts'
import { inMs } from '#shared/platform/time/clock.ts'
import { findRefundsWithoutJob } from '#shared/refunds/gateway/find-refunds-without-job.ts'
import { recoverRefunds as job, sendRefund } from '#shared/refunds/jobs.ts'
import { enqueueForStores } from '#shared/stores/enqueue-for-stores.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Enqueues a job for each refund in progress without one. An extra job is harmless, because it finds the refund
 * settled.
 */
export const recoverRefunds = handle(job, (_payload, { signal }) =>
  isolateStoreFailures(async (runForStore) => {
    const lost = await findRefundsWithoutJob(inMs(-JOB_LOST_AFTER_MS))
    for (const { storeId, refundId } of await enqueueForStores(runForStore, sendRefund, lost))
      log.warn({ storeId, refundId }, 'a refund in progress had no job')
  }, signal),
)
