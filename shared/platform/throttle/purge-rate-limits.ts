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
export const purgeQuotaWindows = (): Promise<boolean> =>
  deleteBatch(
    `delete from rate_limits where ctid = any (array(
       select ctid from rate_limits where ends_at < ? limit ${BATCH} for update skip locked)) and ends_at < ?`,
    [now(), now()],
  )

const IS_UNUSED = "free_at < clock_timestamp() - interval '10 minutes'"
const IS_ENDED = 'suspended_until < clock_timestamp()'

/**
 * Deletes up to 5,000 slots that have been free for long. A slot without a row is free. Returns whether there may be
 * more.
 */
export const purgeThrottleSlots = (): Promise<boolean> =>
  deleteBatch(
    `delete from throttle_slots where ctid = any (array(
       select ctid from throttle_slots where ${IS_UNUSED} limit ${BATCH} for update skip locked)) and ${IS_UNUSED}`,
  )

/** Deletes up to 5,000 ended suspensions. Returns whether there may be more. */
export const purgeThrottleSuspensions = (): Promise<boolean> =>
  deleteBatch(
    `delete from throttle_suspensions where ctid = any (array(
       select ctid from throttle_suspensions where ${IS_ENDED} limit ${BATCH} for update skip locked)) and ${IS_ENDED}`,
  )

/** Runs a statement that deletes up to `BATCH` rows. Returns whether there may be more. */
async function deleteBatch(sql: string, values: Date[] = []): Promise<boolean> {
  const { rowCount } = await db().raw<{ rowCount: number }>(sql, values)
  return rowCount === BATCH
}
