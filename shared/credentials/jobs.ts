import { Type } from 'typebox'
import { Nullable } from '#shared/platform/http/schema.ts'
import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/**
 * Mails a link to reset a password, if the address belongs to somebody. A request only leaves this job behind, so
 * neither its answer nor its time tells whether it does.
 */
export const startPasswordReset = definePlatformJob(
  'start-password-reset',
  { account: Type.Enum(['customer', 'staff']), storeId: Nullable(Type.String()), email: Type.String() },
  { retries: 8, concurrency: 4 },
)
