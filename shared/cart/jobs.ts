import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Deletes the expired guest carts of all stores. */
export const purgeCarts = definePlatformJob(
  'purge-carts',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)
