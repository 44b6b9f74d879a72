import { Type } from 'typebox'
import { Uuid } from '#shared/platform/http/schema.ts'
import { definePlatformJob, defineScopedJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Mails a link to reset a password, if the address has an account. The request only queues this job, so neither its
 * response nor its duration reveals whether the address has one. So the request of staff, who name no store, is the
 * platform's: the job looks their store up, and enqueues a job of that store with its own id as `linkId`.
 */
export const sendPasswordReset = defineScopedJob(
  'send-password-reset',
  { account: Type.Enum(['customer', 'staff']), email: Type.String(), linkId: Type.Optional(Uuid) },
  { concurrency: 8, perStore: 2 },
)

/** Deletes old sessions (also of super-admins), security events and mailed links. */
export const purgeAccountRecords = definePlatformJob(
  'purge-account-records',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)
