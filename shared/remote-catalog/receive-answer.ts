import { CommonErrors } from '#shared/platform/errors.ts'
import type { ReplyResult } from '#shared/platform/notify/reply-channel.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'
import { RemoteErrors } from './errors.ts'
import type { RemoteAnswer } from './remote-item.ts'
import { PATIENCE_MS } from './remote-read.ts'

type Found = Exclude<RemoteAnswer, { fault: unknown }>

/** What was asked for, or the error that says why it is not there: `remote.rate_limited`, `remote.unavailable`. */
export function receiveAnswer(answer: ReplyResult): Found {
  if ('missing' in answer) {
    // Whoever asks the external system answers in time, whatever comes of it: this question has not had its turn.
    if (answer.missing === 'late') throw RemoteErrors.rateLimited({ retryAfter: PATIENCE_MS / SECOND_MS })
    throw CommonErrors.unavailable({ retryAfter: 1 })
  }
  const received: RemoteAnswer = JSON.parse(answer.text)
  if (!('fault' in received)) return received
  if (received.fault === 'rate_limited') throw RemoteErrors.rateLimited({ retryAfter: received.retryAfter })
  throw RemoteErrors.unavailable({ why: received.why })
}
