import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Renders the pages of all stores again that another version of the renderer made. */
export const rerenderPages = definePlatformJob(
  'rerender-pages',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 1_800 },
)
