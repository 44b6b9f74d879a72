import { newId } from '#shared/platform/db/id.ts'
import { executeInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/schema.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { type AttemptResult, isSuccess } from '#shared/webhooks/deliveries/attempt.ts'
import { type DeliveryStatus, WebhookDelivery } from '#shared/webhooks/deliveries/delivery.ts'
import { enqueueAttempts, usesSlowQueue } from '#shared/webhooks/deliveries/enqueue-attempts.ts'
import type { DueDelivery } from '#shared/webhooks/deliveries/find-due-delivery.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { recordHealth, SLOW_MS } from './record-health.ts'
import { delayAfter } from './retry-schedule.ts'

const GONE = 410

// Only the job that the delivery names records its attempt. A second record finds no row and inserts nothing.
const RECORD_ATTEMPT: Statement = {
  name: 'record_webhook_attempt',
  text: `
    with delivery as (
      update webhook_deliveries
      set status = $3, attempt_count = attempt_count + 1, next_attempt_at = $4::timestamptz, job_id = $5::uuid
      where store_id = ${CURRENT_STORE}
        and id = $1::uuid and job_id = $2::uuid and status = 'pending'
      returning store_id, id
    )
    insert into webhook_attempts
      (store_id, id, delivery_id, at, status_code, duration_ms, error, response_excerpt)
    select store_id, $6::uuid, id, $7::timestamptz, $8::integer, $9::integer, $10, $11 from delivery
    returning id`,
}

/**
 * Records an attempt and settles the delivery or schedules the next attempt. A repeated call changes nothing. Returns
 * the status that the attempt leads to.
 */
export async function recordAttempt(
  storeId: string,
  due: DueDelivery,
  result: AttemptResult,
): Promise<DeliveryStatus> {
  const decision = decide(due, result)
  const values = valuesOf(due, result, decision)
  if (!hasConsequences(due, result)) {
    await executeInStore(storeId, RECORD_ATTEMPT, values)
    return decision.status
  }
  await inStore(storeId, async (tx) => {
    const isOurs = (await tx.prepared(RECORD_ATTEMPT, values)).length > 0
    if (isOurs) await applyConsequences(tx, due, result, decision)
  })
  return decision.status
}

/** A healthy webhook that responds well is the common case: only the delivery changes. */
function hasConsequences({ event, webhook }: DueDelivery, result: AttemptResult): boolean {
  const staysHealthy = isSuccess(result) && !usesSlowQueue(webhook) && result.durationMs <= SLOW_MS
  return !staysHealthy || event.type === webhookTest.type
}

async function applyConsequences(tx: StoreTx, due: DueDelivery, result: AttemptResult, decision: Decision) {
  if (due.event.type === webhookTest.type) return notifySettled(tx, due.id)
  const webhook = await recordHealth(tx, due.webhook, result)
  const { nextAttemptAt, jobId } = decision
  if (nextAttemptAt)
    await enqueueAttempts(tx, [{ delivery: { id: due.id, jobId }, webhook, startAfter: nextAttemptAt }])
}

const valuesOf = (due: DueDelivery, result: AttemptResult, decision: Decision) => [
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

/** Fails a delivery without an attempt, because its webhook was deleted or disabled, or no longer covers the event. */
export async function failDelivery(tx: StoreTx, due: DueDelivery): Promise<void> {
  await WebhookDelivery.in(tx)
    .where({ id: due.id, job_id: due.jobId, status: 'pending' })
    .patch({ status: 'failed', nextAttemptAt: null, jobId: null })
}
