import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Stores the facts of past days of every store, for fast reports. */
export const rollUpReports = definePlatformJob(
  'roll-up-reports',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3_600 },
)
