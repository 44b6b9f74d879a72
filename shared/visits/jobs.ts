import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

const ONCE = { concurrency: 1, retries: 2, expireInSeconds: 3600 }

/** Counts the visits of past days and deletes old ones, in all stores. */
export const rollUpVisits = definePlatformJob('roll-up-visits', {}, ONCE)

/** Deletes the salts of visitors' hashes of past days. */
export const purgeVisitorSalts = definePlatformJob(
  'purge-visitor-salts',
  {},
  { ...ONCE, expireInSeconds: 60 },
)
