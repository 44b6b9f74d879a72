import { Type } from 'typebox'
import { defineJob } from '../platform/jobs.ts'
import { Nullable } from '../platform/schema.ts'

/**
 * Sends a mail. Its data is sealed, for it may hold a token that opens an account. A mail server that is away is
 * waited for about five hours; the server has 30 seconds to take a mail.
 */
export const sendMail = defineJob(
  'send-mail',
  {
    mailId: Type.String(),
    kind: Type.String(),
    to: Type.String(),
    language: Nullable(Type.String()),
    sealed: Type.String(),
    goodUntil: Nullable(Type.String()),
  },
  { retries: 24, retryDelay: 5, retryDelayMax: 900, expireIn: 60, concurrency: 10, perStore: 5 },
)
