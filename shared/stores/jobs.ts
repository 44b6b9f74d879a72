import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Looks up the DNS record that proves the ownership of a domain. */
export const verifyDomain = defineJob(
  'verify-domain',
  { domainId: Uuid },
  {
    retries: 3,
    retryDelaySeconds: 1,
    retryDelayMaxSeconds: 10,
    expireInSeconds: 30,
    concurrency: 8,
    perStore: 2,
  },
)

/** Removes a deleted store and all its rows. */
export const purgeStore = defineJob(
  'purge-store',
  {},
  { concurrency: 4, perStore: 1, expireInSeconds: 6 * 3600 },
)

/** Finds the deleted stores whose retention has ended. */
export const purgeDeletedStores = definePlatformJob(
  'purge-deleted-stores',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)

/** Deletes the publishable keys of all stores that ended 30 days ago. */
export const purgePublishableKeys = definePlatformJob(
  'purge-publishable-keys',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)
