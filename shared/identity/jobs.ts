import { Type } from 'typebox'
import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Mails a link to reset a password, if the address has an account in the store. Each link is mailed once. */
export const sendPasswordReset = defineJob(
  'send-password-reset',
  { account: Type.Enum(['customer', 'staff']), email: Type.String(), linkId: Uuid },
  { concurrency: 8, perStore: 2 },
)

/** Finds the store of the staff member with an address, and enqueues `sendPasswordReset` there. */
export const forwardStaffReset = definePlatformJob(
  'forward-staff-reset',
  { email: Type.String(), linkId: Uuid },
  { concurrency: 2 },
)

/** Deletes old sessions (also of super-admins), security events and mailed links. */
export const purgeAccountRecords = definePlatformJob(
  'purge-account-records',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)
