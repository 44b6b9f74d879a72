import { minIdAt } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueueWithoutTransaction } from '#shared/platform/jobs/enqueue.ts'
import { pendingJobs } from '#shared/platform/jobs/pending-jobs.ts'
import { HOUR_MS, inMs } from '#shared/platform/time/clock.ts'
import { eraseResponses } from './erase-responses.ts'
import { RETENTION_MS } from './idempotency-key.ts'

/** After this time an erasure has no responses left: the hourly purge has deleted all that are older than it. */
const ERASURE_RETENTION_MS = RETENTION_MS + HOUR_MS

/**
 * Enqueues the job of a store's erasures again if it was lost: a job that has failed all its retries no longer runs.
 * Deletes the erasures whose responses are purged.
 */
export async function recoverErasures(storeId: string): Promise<void> {
  if (!(await inStore(storeId, purgeErasures))) return
  if ((await pendingJobs(eraseResponses, storeId)).length > 0) return
  await enqueueWithoutTransaction(eraseResponses, storeId, {})
}

/** Deletes the erasures whose responses are purged. Returns whether the store has others. */
async function purgeErasures(tx: StoreTx): Promise<boolean> {
  const erasures = tx.knex('response_erasures').where('store_id', tx.storeId)
  await erasures
    .clone()
    .where('id', '<', minIdAt(inMs(-ERASURE_RETENTION_MS)))
    .delete()
  return (await erasures.clone().first('id')) !== undefined
}
