import { defineJob } from '../platform/define-job.ts'
import { Uuid } from '../platform/schema.ts'

/** Looks in DNS for the proof that a domain is the store's. */
export const verifyDomain = defineJob(
  'verify-domain',
  { domainId: Uuid },
  { retries: 3, retryDelay: 1, retryDelayMax: 10, expireIn: 30, concurrency: 8, perStore: 2 },
)
