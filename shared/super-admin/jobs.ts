import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Removes a deleted store with all that it has. */
export const purgeStore = defineJob('purge-store', {}, { concurrency: 1, perStore: 1, expireIn: 6 * 3600 })

/** Adds up the stores' orders of the last weeks, day by day. */
export const tallyFigures = definePlatformJob(
  'tally-figures',
  {},
  { concurrency: 1, retries: 2, expireIn: 3600 },
)

/** Finds deleted stores whose thirty days are over. */
export const purgeDeletedStores = definePlatformJob(
  'purge-deleted-stores',
  {},
  { concurrency: 1, retries: 2, expireIn: 3600 },
)
