import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'

/** Looks in DNS for the proof that a domain is the store's. */
export const verifyDomain = defineJob(
  'verify-domain',
  { domainId: Uuid },
  { retries: 3, retryDelay: 1, retryDelayMax: 10, expireIn: 30, concurrency: 8, perStore: 2 },
)
