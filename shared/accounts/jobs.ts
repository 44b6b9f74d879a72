import { definePlatformJob } from '../platform/jobs.ts'

/** Deletes sessions that ended long ago, store after store. */
export const purgeSessions = definePlatformJob(
  'purge-sessions',
  {},
  { concurrency: 1, retries: 2, expireIn: 3600 },
)
