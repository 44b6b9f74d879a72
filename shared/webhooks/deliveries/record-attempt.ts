import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import type { AttemptResult } from '#shared/webhooks/attempts/attempt.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { recordHealth } from '#shared/webhooks/health/record-health.ts'
import { decideOutcome } from './attempt-outcome.ts'
import { RECORD_ATTEMPT, valuesOfAttempt } from './attempt-statement.ts'
import type { DeliveryResult } from './delivery.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'
import type { DeliveryOfJob } from './find-delivery-of-job.ts'

/** A recorded attempt: whether the webhook's window is low now, and the job of the next attempt unless it is held. */
interface Recorded {
  isLow: boolean
  jobId: string | null
}

/**
 * Records an attempt and its webhook's health, and settles the delivery or schedules the next attempt. A repeated call
 * changes nothing. If the attempt leaves the webhook's window low, fill it after the commit.
 */
export async function recordAttempt(
  tx: StoreTx,
  delivery: DeliveryOfJob,
  result: AttemptResult,
): Promise<DeliveryResult> {
  const { id, event } = delivery
  const outcome = decideOutcome(delivery, result)
  const { status, nextAttemptAt } = outcome
  const values = valuesOfAttempt(delivery, result, outcome)
  const [recorded] = await tx.prepared<Recorded>(RECORD_ATTEMPT, values)
  if (!recorded) return { status, isWindowLow: false }
  if (event.type === webhookTest.type) await notifySettled(tx, id)
  else {
    const webhook = await recordHealth(tx, delivery.webhook, result)
    const { jobId } = recorded
    if (nextAttemptAt && jobId)
      await enqueueAttempts(tx, [{ delivery: { id, jobId }, webhook, startAfter: nextAttemptAt }])
  }
  return { status, isWindowLow: recorded.isLow }
}
