import type { StoreTx } from '../db/store-scope.ts'
import { definePlatformJob } from '../jobs/define-job.ts'
import { DAY_MS, inMs } from '../time/clock.ts'

const KEPT_MS = DAY_MS
const MOST = 5_000

/** Deletes idempotency keys older than their 24 hours, store after store. */
export const purgeIdempotencyKeys = definePlatformJob(
  'purge-idempotency-keys',
  {},
  { concurrency: 1, retries: 2, expireIn: 3600 },
)

/** Deletes a store's keys that are past their time (decisions, section 1), at most 5,000. Returns whether there may be more. */
export async function purgeKeys(tx: StoreTx): Promise<boolean> {
  const { rowCount } = await tx.knex.raw<{ rowCount: number }>(
    `delete from idempotency_keys where ctid = any (array(
       select ctid from idempotency_keys where store_id = ? and created_at < ? limit ?))
     and store_id = ?`,
    [tx.storeId, inMs(-KEPT_MS), MOST, tx.storeId],
  )
  return rowCount === MOST
}
