import type { TProperties } from 'typebox'
import type { JobDefinition } from '#shared/platform/jobs/define-job.ts'
import { withoutPendingJob } from '#shared/platform/jobs/pending-jobs.ts'
import { enqueueForStores, type StorePayload } from './enqueue-for-stores.ts'
import { findDueRows } from './find-due-rows.ts'
import type { RunForStore } from './isolate-store-failures.ts'

/**
 * Enqueues a job for each row that `sql` returns, unless its job waits or runs already. The columns are the payload.
 * Returns the number of new jobs.
 */
export async function enqueueDueRows<P extends TProperties>(
  runForStore: RunForStore,
  job: JobDefinition<P>,
  sql: string,
  values: readonly (Date | number | string | string[])[],
): Promise<number> {
  const rows = await findDueRows<StorePayload<P>>(sql, values)
  const due = await withoutPendingJob(job.queue, rows)
  const enqueued = await enqueueForStores(runForStore, job, due)
  return enqueued.length
}
