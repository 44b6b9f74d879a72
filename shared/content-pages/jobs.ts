import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Re-renders the pages of all stores that another renderer version made. */
export const rerenderPages = definePlatformJob(
  'rerender-pages',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 1_800 },
)
