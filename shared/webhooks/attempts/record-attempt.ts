import { newId } from '#shared/platform/db/id.ts'
import type { Value } from '#shared/platform/db/pg-internals.ts'
import { executeInStore } from '#shared/platform/db/pipelined-query.ts'
import { namedStatement } from '#shared/platform/db/statement.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/schema.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'
import {
  type AttemptResult,
  type EndedAttempt,
  isGone,
  isSuccess,
} from '#shared/webhooks/deliveries/attempt.ts'
import { isDueSql } from '#shared/webhooks/deliveries/delivery.ts'
import { enqueueAttempts, usesSlowQueue } from '#shared/webhooks/deliveries/enqueue-attempts.ts'
import type { DueDelivery } from '#shared/webhooks/deliveries/find-due-delivery.ts'
import type { DeliveryStatus } from '#shared/webhooks/deliveries/states.ts'
import { countLaterSql, isWindowLowSql, WINDOW } from '#shared/webhooks/deliveries/window.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { recordHealth, SLOW_MS } from './record-health.ts'
import { delayAfter } from './retry-schedule.ts'

// Only the job that the delivery names records its attempt. A second record finds no row and inserts nothing. A retry
// is held if enough retries of its webhook have a job already.
const RECORD_ATTEMPT = namedStatement(
  'record_webhook_attempt',
  {
    id: 'uuid',
    jobId: 'uuid',
    status: 'text',
    nextAttemptAt: 'timestamptz',
    nextJobId: 'uuid',
    webhookId: 'uuid',
    at: 'timestamptz',
    attemptId: 'uuid',
    attemptedAt: 'timestamptz',
    statusCode: 'integer',
    durationMs: 'integer',
    error: 'text',
    responseExcerpt: 'text',
  },
  ({ id, jobId, status, nextAttemptAt, nextJobId, webhookId, at, attemptId, ...attempt }) => `
    with delivery as (
      update webhook_deliveries d
      set status = ${status}, attempt_count = attempt_count + 1, next_attempt_at = ${nextAttemptAt},
        job_id = case when ${nextJobId} is not null
          and ${countLaterSql(webhookId, at)} < ${WINDOW} then ${nextJobId} end
      where ${isDueSql({ row: 'd', id, jobId })}
      returning store_id, id, job_id
    ), attempt as (
      insert into webhook_attempts
        (store_id, id, delivery_id, at, status_code, duration_ms, error, response_excerpt)
      select store_id, ${attemptId}, id, ${attempt.attemptedAt}, ${attempt.statusCode},
        ${attempt.durationMs}, ${attempt.error}, ${attempt.responseExcerpt}
      from delivery
    )
    select ${isWindowLowSql(webhookId, at, { settled: 1 })} as "isLow", job_id as "jobId" from delivery`,
)

/** A recorded attempt: whether the webhook's window is low now, and the job of the next attempt unless it is held. */
interface Recorded {
  isLow: boolean
  jobId: string | null
}

/**
 * Records an attempt and settles the delivery or schedules the next attempt. A repeated call changes nothing. If the
 * attempt leaves the webhook's window low, fill it afterwards. Opens its transaction itself, because an attempt that
 * changes only its delivery is recorded in one round trip.
 */
export async function recordAttempt(
  storeId: string,
  due: DueDelivery,
  result: AttemptResult,
): Promise<EndedAttempt> {
  const outcome = decideOutcome(due, result)
  const values = valuesOf(due, result, outcome)
  const isWindowLow = hasConsequences(due, result)
    ? await inStore(storeId, (tx) => recordWithConsequences(tx, due, result, { ...outcome, values }))
    : await recordAlone(storeId, values)
  return { status: outcome.status, isWindowLow }
}

/**
 * Whether an attempt changes more than its delivery. Usually a healthy webhook succeeds, and only the delivery changes.
 */
function hasConsequences({ event, webhook }: DueDelivery, result: AttemptResult): boolean {
  const staysHealthy = isSuccess(result) && !usesSlowQueue(webhook) && result.durationMs <= SLOW_MS
  return !staysHealthy || event.type === webhookTest.type
}

/** Records an attempt in one round trip. Returns whether the webhook's window is low. */
async function recordAlone(storeId: string, values: Value[]): Promise<boolean> {
  const [recorded] = await executeInStore(storeId, RECORD_ATTEMPT, values)
  const [isLow] = recorded ?? []
  return isLow === 't'
}

/** Records an attempt and what follows from it. Returns whether the webhook's window is low. */
async function recordWithConsequences(
  tx: StoreTx,
  due: DueDelivery,
  result: AttemptResult,
  { nextAttemptAt, values }: { nextAttemptAt: Date | null; values: Value[] },
): Promise<boolean> {
  const [recorded] = await tx.prepared<Recorded>(RECORD_ATTEMPT, values)
  if (!recorded) return false
  const { id, event } = due
  if (event.type === webhookTest.type) await notifySettled(tx, id)
  else {
    const webhook = await recordHealth(tx, due.webhook, result)
    const { jobId } = recorded
    if (nextAttemptAt && jobId)
      await enqueueAttempts(tx, [{ delivery: { id, jobId }, webhook, startAfter: nextAttemptAt }])
  }
  return recorded.isLow
}

const valuesOf = (due: DueDelivery, result: AttemptResult, outcome: Outcome): Value[] =>
  RECORD_ATTEMPT.values({
    id: due.id,
    jobId: due.jobId,
    status: outcome.status,
    nextAttemptAt: toTimestampOrNull(outcome.nextAttemptAt),
    nextJobId: outcome.jobId,
    webhookId: due.webhook.id,
    at: toTimestamp(now()),
    attemptId: newId(),
    attemptedAt: toTimestamp(result.at),
    statusCode: result.statusCode === null ? null : String(result.statusCode),
    durationMs: String(result.durationMs),
    error: result.error,
    responseExcerpt: result.responseExcerpt,
  })

interface Outcome {
  status: DeliveryStatus
  nextAttemptAt: Date | null
  /** The job of the next attempt. */
  jobId: string | null
}

const settled = (status: DeliveryStatus): Outcome => ({ status, nextAttemptAt: null, jobId: null })

function decideOutcome(due: DueDelivery, result: AttemptResult): Outcome {
  if (isSuccess(result)) return settled('succeeded')
  if (isGone(result) || due.event.type === webhookTest.type) return settled('failed')
  const delayMs = delayAfter(due.attemptCount + 1, result.retryAfterMs)
  if (delayMs === null) return settled('exhausted')
  return { status: 'pending', nextAttemptAt: new Date(result.at.getTime() + delayMs), jobId: newId() }
}
