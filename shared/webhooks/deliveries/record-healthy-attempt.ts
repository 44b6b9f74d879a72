import { executeInStore } from '#shared/platform/db/pipelined-query.ts'
import { type AttemptResult, isSuccess } from '#shared/webhooks/attempts/attempt.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { SLOW_MS } from '#shared/webhooks/health/record-health.ts'
import { decideOutcome } from './attempt-outcome.ts'
import { RECORD_ATTEMPT, valuesOfAttempt } from './attempt-statement.ts'
import type { DeliveryResult } from './delivery.ts'
import { usesSlowQueue } from './enqueue-attempts.ts'
import type { DeliveryOfJob } from './find-delivery-of-job.ts'

/**
 * Whether an attempt changes only its delivery, because its webhook was healthy and stays so. Most attempts do. A
 * request may wait for the result of a test.
 */
export const isHealthyAttempt = ({ event, webhook }: DeliveryOfJob, result: AttemptResult): boolean =>
  event.type !== webhookTest.type &&
  isSuccess(result) &&
  !usesSlowQueue(webhook) &&
  result.durationMs <= SLOW_MS

/**
 * Records an attempt of `isHealthyAttempt` as `recordAttempt` does, but in one round trip. Call it outside a
 * transaction.
 */
export async function recordHealthyAttempt(
  storeId: string,
  delivery: DeliveryOfJob,
  result: AttemptResult,
): Promise<DeliveryResult> {
  const outcome = decideOutcome(delivery, result)
  const values = valuesOfAttempt(delivery, result, outcome)
  const [recorded] = await executeInStore(storeId, RECORD_ATTEMPT, values)
  const [isLow] = recorded ?? []
  return { status: outcome.status, isWindowLow: isLow === 't' }
}
