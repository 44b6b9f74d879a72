import { Type } from 'typebox'
import { Nullable } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob, type QueueRules } from '#shared/platform/jobs/define-job.ts'

const queuedMail = { mailId: Type.String(), kind: Type.String(), to: Type.String(), sealed: Type.String() }

// A mail server that is away is waited for about five hours; it has 30 seconds to take a mail.
const patience: Partial<QueueRules> = { retries: 24, retryDelay: 5, retryDelayMax: 900, expireIn: 60 }

/** Sends a mail in a store's name. Its data is sealed, for it may hold a token that opens an account. */
export const sendMail = defineJob(
  'send-mail',
  { ...queuedMail, language: Nullable(Type.String()), goodUntil: Nullable(Type.String()) },
  { ...patience, concurrency: 10, perStore: 5 },
)

/** Sends a mail to those who run the platform. */
export const sendPlatformMail = definePlatformJob('send-platform-mail', queuedMail, {
  ...patience,
  concurrency: 2,
})
