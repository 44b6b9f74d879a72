import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { log } from '#shared/platform/log.ts'
import { inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { findStranded } from '#shared/refunds/find-stranded.ts'
import { resendStranded as job, sendRefund } from '#shared/refunds/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

// A refund this young may be in a transaction whose job is not to be seen yet.
const STRANDED_AFTER_MS = 2 * MINUTE_MS

/** Gives every refund under way a job again. One too many does no harm: it finds the refund settled. */
export const resendStranded = handle(job, async () => {
  for (const { storeId, refundId } of await findStranded(inMs(-STRANDED_AFTER_MS))) {
    await inStore(storeId, (tx) => enqueue(tx, sendRefund, { refundId }))
    log.warn({ storeId, refundId }, 'a refund under way had no job')
  }
})
