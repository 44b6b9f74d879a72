import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Deletes records about accounts that have had their time: sessions that ended, those of super-admins, too, what befell
 * accounts long ago, and mailed links that have expired.
 */
export const purgeAccountRecords = definePlatformJob(
  'purge-account-records',
  {},
  { concurrency: 1, retries: 2, expireIn: 3600 },
)
