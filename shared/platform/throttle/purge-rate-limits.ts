import { db } from '#shared/platform/db/db.ts'
import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'
import { now } from '#shared/platform/time/clock.ts'

const BATCH = 5_000

/** The job that deletes ended quota windows, unused throttle slots and ended suspensions. */
export const purgeRateLimits = definePlatformJob(
  'purge-rate-limits',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)

/** Deletes up to 5,000 ended quota windows. Returns whether there may be more. */
export async function purgeQuotaWindows(): Promise<boolean> {
  const { rowCount } = await db().raw<{ rowCount: number }>(
    `delete from rate_limits where ctid = any (array(
       select ctid from rate_limits where ends_at < ? limit ? for update skip locked)) and ends_at < ?`,
    [now(), BATCH, now()],
  )
  return rowCount === BATCH
}

const IS_UNUSED = "free_at < clock_timestamp() - interval '10 minutes'"
const IS_ENDED = 'suspended_until < clock_timestamp()'

/**
 * Deletes up to 5,000 slots that have been free for long. A slot without a row is free. Returns whether there may be
 * more.
 */
export async function purgeThrottleSlots(): Promise<boolean> {
  const { rowCount } = await db().raw<{ rowCount: number }>(
    `delete from throttle_slots where ctid = any (array(
       select ctid from throttle_slots where ${IS_UNUSED} limit ? for update skip locked)) and ${IS_UNUSED}`,
    [BATCH],
  )
  return rowCount === BATCH
}

/** Deletes up to 5,000 ended suspensions. Returns whether there may be more. */
export async function purgeThrottleSuspensions(): Promise<boolean> {
  const { rowCount } = await db().raw<{ rowCount: number }>(
    `delete from throttle_suspensions where ctid = any (array(
       select ctid from throttle_suspensions where ${IS_ENDED} limit ? for update skip locked)) and ${IS_ENDED}`,
    [BATCH],
  )
  return rowCount === BATCH
}
