import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

const ONCE = { concurrency: 1, retries: 2, expireInSeconds: 3600 }

/** Deletes visits past the attribution window, in all stores. */
export const deleteOldVisits = definePlatformJob('delete-old-visits', {}, ONCE)

/** Deletes the salts of visitors' hashes of past days. */
export const purgeVisitorSalts = definePlatformJob(
  'purge-visitor-salts',
  {},
  { ...ONCE, expireInSeconds: 60 },
)
