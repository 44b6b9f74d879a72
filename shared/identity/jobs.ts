import { Type } from 'typebox'
import { Nullable } from '#shared/platform/http/schema.ts'
import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Mails a link to reset a password, if the address has an account. The request only queues this job, so neither its
 * response nor its duration reveals whether the address has one.
 */
export const sendPasswordReset = definePlatformJob(
  'send-password-reset',
  { account: Type.Enum(['customer', 'staff']), storeId: Nullable(Type.String()), email: Type.String() },
  { retries: 8, concurrency: 4 },
)

/** Deletes old records of accounts: sessions, also of super-admins, security events and mailed links. */
export const purgeAccountRecords = definePlatformJob(
  'purge-account-records',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)
