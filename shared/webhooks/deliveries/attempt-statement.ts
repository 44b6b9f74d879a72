import { newId } from '#shared/platform/db/id.ts'
import type { Value } from '#shared/platform/db/pg-internals.ts'
import { namedStatement } from '#shared/platform/db/statement.ts'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { AttemptResult } from '#shared/webhooks/attempts/attempt.ts'
import type { AttemptOutcome } from './attempt-outcome.ts'
import { isOwnedByJobSql } from './delivery.ts'
import type { DeliveryOfJob } from './find-delivery-of-job.ts'
import { countLaterSql, isWindowLowSql, WINDOW } from './window.ts'

// Only the job that the delivery names records its attempt. A second record finds no row and inserts nothing. A retry
// is held if enough retries of its webhook have a job already.
export const RECORD_ATTEMPT = namedStatement(
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
      where ${isOwnedByJobSql({ row: 'd', id, jobId })}
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

/** Returns the values of `RECORD_ATTEMPT`. */
export const valuesOfAttempt = (
  delivery: DeliveryOfJob,
  result: AttemptResult,
  outcome: AttemptOutcome,
): Value[] =>
  RECORD_ATTEMPT.values({
    id: delivery.id,
    jobId: delivery.jobId,
    status: outcome.status,
    nextAttemptAt: toTimestampOrNull(outcome.nextAttemptAt),
    nextJobId: outcome.jobId,
    webhookId: delivery.webhook.id,
    at: toTimestamp(now()),
    attemptId: newId(),
    attemptedAt: toTimestamp(result.at),
    statusCode: result.statusCode === null ? null : String(result.statusCode),
    durationMs: String(result.durationMs),
    error: result.error,
    responseExcerpt: result.responseExcerpt,
  })
