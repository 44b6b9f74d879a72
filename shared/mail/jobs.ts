import { Type } from 'typebox'
import { Nullable, Uuid } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob, type QueueRules } from '#shared/platform/jobs/define-job.ts'

const queuedMail = { mailId: Uuid, kind: Type.String(), to: Type.String(), sealed: Type.String() }

// While the mail server is unavailable, the job retries for about five hours.
const rules: Partial<QueueRules> = {
  retries: 24,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 900,
  expireInSeconds: 60,
}

/**
 * Sends a mail in a store's name. Its data is sealed, because it can contain a token that gives access to an account.
 */
export const sendMail = defineJob(
  'send-mail',
  {
    ...queuedMail,
    recordId: Nullable(Uuid),
    language: Nullable(Type.String()),
    expiresAt: Nullable(Type.String()),
  },
  { ...rules, concurrency: 20, perStore: 5 },
)

/** Sends a mail to a super-admin. */
export const sendPlatformMail = definePlatformJob('send-platform-mail', queuedMail, {
  ...rules,
  concurrency: 2,
})
