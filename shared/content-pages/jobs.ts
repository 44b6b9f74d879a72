import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Renders pages of all stores again if another version of the renderer made them. */
export const rerenderPages = definePlatformJob(
  'rerender-pages',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 1_800 },
)
