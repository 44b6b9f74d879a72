import { newId } from '#shared/platform/db/id.ts'
import { type AttemptResult, isGone, isSuccess } from '#shared/webhooks/attempts/attempt.ts'
import { retryDelayMs } from '#shared/webhooks/attempts/retry-schedule.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import type { DeliveryOfJob } from './find-delivery-of-job.ts'
import type { DeliveryStatus } from './states.ts'

/** The columns of a delivery after an attempt. */
export interface AttemptOutcome {
  status: DeliveryStatus
  nextAttemptAt: Date | null
  /** The job of the next attempt. */
  jobId: string | null
}

const settled = (status: DeliveryStatus): AttemptOutcome => ({ status, nextAttemptAt: null, jobId: null })

/** Returns the outcome of an attempt by its result: the delivery settles, or the next attempt is scheduled. */
export function decideOutcome(delivery: DeliveryOfJob, result: AttemptResult): AttemptOutcome {
  if (isSuccess(result)) return settled('succeeded')
  if (isGone(result) || delivery.event.type === webhookTest.type) return settled('failed')
  const delayMs = retryDelayMs(delivery.attemptCount + 1, result.retryAfterMs)
  if (delayMs === null) return settled('exhausted')
  return { status: 'pending', nextAttemptAt: new Date(result.at.getTime() + delayMs), jobId: newId() }
}
