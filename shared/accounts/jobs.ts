import { definePlatformJob } from '../platform/define-job.ts'

/** Deletes sessions that ended long ago: the platform's own, then store after store with what befell its accounts. */
export const purgeSessions = definePlatformJob(
  'purge-sessions',
  {},
  { concurrency: 1, retries: 2, expireIn: 3600 },
)
