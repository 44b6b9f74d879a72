import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'
import { inMs } from '#shared/platform/time/clock.ts'
import { RETENTION_MS } from './idempotency-key.ts'

const BATCH = 5_000

/** The job that deletes idempotency keys after 24 hours and recovers erasures, store by store. */
export const purgeIdempotencyKeys = definePlatformJob(
  'purge-idempotency-keys',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)

/** Deletes up to 5,000 of a store's expired keys. Returns whether there may be more. */
export async function purgeKeys(tx: StoreTx): Promise<boolean> {
  const { rowCount } = await tx.knex.raw<{ rowCount: number }>(
    `delete from idempotency_keys where ctid = any (array(
       select ctid from idempotency_keys where store_id = ? and created_at < ? limit ?))
     and store_id = ?`,
    [tx.storeId, inMs(-RETENTION_MS), BATCH, tx.storeId],
  )
  return rowCount === BATCH
}
