import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Deletes guests' carts that have expired, store after store. */
export const purgeCarts = definePlatformJob('purge-carts', {}, { concurrency: 1, retries: 2, expireIn: 3600 })
