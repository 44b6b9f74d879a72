import { db } from '../db/db.ts'
import { definePlatformJob } from '../jobs/define-job.ts'
import { now } from '../time/clock.ts'

const MOST = 5_000

/** Deletes counts of limits whose window has ended. */
export const purgeRateLimits = definePlatformJob(
  'purge-rate-limits',
  {},
  { concurrency: 1, retries: 2, expireIn: 300 },
)

/** Deletes counts whose window has ended, at most 5,000. Returns whether there may be more. */
export async function purgeQuotaWindows(): Promise<boolean> {
  const { rowCount } = await db().raw<{ rowCount: number }>(
    `delete from rate_limits where ctid = any (array(
       select ctid from rate_limits where ends_at < ? limit ? for update skip locked)) and ends_at < ?`,
    [now(), MOST, now()],
  )
  return rowCount === MOST
}

/** Deletes lanes that have rested long ago: one that is not there is free. */
export async function purgeThrottleSlots(): Promise<void> {
  await db().raw("delete from rate_lanes where free_at < clock_timestamp() - interval '10 minutes'")
}
