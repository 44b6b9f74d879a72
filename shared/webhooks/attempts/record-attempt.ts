import { newId } from '#shared/platform/db/id.ts'
import type { Value } from '#shared/platform/db/pg-internals.ts'
import { executeInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/schema.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type AttemptResult, type EndedAttempt, isSuccess } from '#shared/webhooks/deliveries/attempt.ts'
import { type DeliveryStatus, SETTLING_DELIVERY_STATUSES } from '#shared/webhooks/deliveries/delivery.ts'
import { enqueueAttempts, usesSlowQueue } from '#shared/webhooks/deliveries/enqueue-attempts.ts'
import type { DueDelivery } from '#shared/webhooks/deliveries/find-due-delivery.ts'
import { countLaterSql, isWindowLowSql, WINDOW } from '#shared/webhooks/deliveries/window.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { recordHealth, SLOW_MS } from './record-health.ts'
import { delayAfter } from './retry-schedule.ts'

const GONE = 410

// Only the job that the delivery names records its attempt. A second record finds no row and inserts nothing. A retry
// is held if enough retries of its webhook have a job already.
const RECORD_ATTEMPT: Statement = {
  name: 'record_webhook_attempt',
  text: `
    with delivery as (
      update webhook_deliveries
      set status = $3, attempt_count = attempt_count + 1, next_attempt_at = $4::timestamptz,
        job_id = case when $5::uuid is not null
          and ${countLaterSql('$12::uuid', '$13::timestamptz')} < ${WINDOW} then $5::uuid end
      where store_id = ${CURRENT_STORE}
        and id = $1::uuid and job_id = $2::uuid and status in ${SETTLING_DELIVERY_STATUSES}
      returning store_id, id, job_id
    ), attempt as (
      insert into webhook_attempts
        (store_id, id, delivery_id, at, status_code, duration_ms, error, response_excerpt)
      select store_id, $6::uuid, id, $7::timestamptz, $8::integer, $9::integer, $10, $11 from delivery
    )
    select (${isWindowLowSql('$12::uuid', '$13::timestamptz', { settled: 1 })})::text as "isLow", job_id as "jobId"
    from delivery`,
}

/** A recorded attempt: whether the webhook's window is low now, and the job of the next attempt unless it is held. */
interface Recorded {
  isLow: 'true' | 'false'
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
  const decision = decide(due, result)
  const values = valuesOf(due, result, decision)
  const isWindowLow = hasConsequences(due, result)
    ? await inStore(storeId, (tx) => recordWithConsequences(tx, due, result, { ...decision, values }))
    : (await executeInStore(storeId, RECORD_ATTEMPT, values))[0]?.[0] === 'true'
  return { status: decision.status, isWindowLow }
}

/**
 * Whether an attempt changes more than its delivery. Usually a healthy webhook succeeds, and only the delivery changes.
 */
function hasConsequences({ event, webhook }: DueDelivery, result: AttemptResult): boolean {
  const staysHealthy = isSuccess(result) && !usesSlowQueue(webhook) && result.durationMs <= SLOW_MS
  return !staysHealthy || event.type === webhookTest.type
}

/** Returns whether the webhook's window is to be filled. */
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
  return recorded.isLow === 'true'
}

const valuesOf = (due: DueDelivery, result: AttemptResult, decision: Decision): Value[] => [
  due.id,
  due.jobId,
  decision.status,
  toTimestampOrNull(decision.nextAttemptAt),
  decision.jobId,
  newId(),
  toTimestamp(result.at),
  result.statusCode === null ? null : String(result.statusCode),
  String(result.durationMs),
  result.error,
  result.responseExcerpt,
  due.webhook.id,
  toTimestamp(now()),
]

interface Decision {
  status: DeliveryStatus
  nextAttemptAt: Date | null
  /** The job of the next attempt. */
  jobId: string | null
}

const settled = (status: DeliveryStatus): Decision => ({ status, nextAttemptAt: null, jobId: null })

function decide(due: DueDelivery, result: AttemptResult): Decision {
  if (isSuccess(result)) return settled('succeeded')
  if (result.statusCode === GONE || due.event.type === webhookTest.type) return settled('failed')
  const delayMs = delayAfter(due.attemptCount + 1, result.retryAfterMs)
  if (delayMs === null) return settled('exhausted')
  return { status: 'pending', nextAttemptAt: new Date(result.at.getTime() + delayMs), jobId: newId() }
}
