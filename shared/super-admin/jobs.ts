import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Adds up the stores' orders of the last weeks, day by day. */
export const rollUpFigures = definePlatformJob(
  'roll-up-figures',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)
