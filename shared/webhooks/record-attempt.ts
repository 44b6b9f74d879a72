import { newId } from '../platform/id.ts'
import { announce } from '../platform/signals.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { WebhookAttempt, WebhookDelivery } from './delivery.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'
import { webhookTest } from './events.ts'
import type { DueDelivery } from './find-due-delivery.ts'
import { noteHealth } from './note-health.ts'
import { pauseAfter } from './retry-schedule.ts'
import type { DeliveryStatus } from './states.ts'

/** How one request to an endpoint ended. */
export interface AttemptResult {
  at: Date
  /** Null when there was no answer. */
  statusCode: number | null
  durationMs: number
  error: string | null
  responseExcerpt: string | null
  retryAfterMs: number | null
}

const GONE = 410

export const isSuccess = ({ statusCode }: Pick<AttemptResult, 'statusCode'>): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300

/** Keeps an attempt and decides what follows: done, another attempt later, or given up. Recording it twice is harmless. */
export async function recordAttempt(tx: StoreTx, due: DueDelivery, result: AttemptResult): Promise<void> {
  const { status, nextAttemptAt } = decide(due, result)
  const jobId = nextAttemptAt ? newId() : null
  const isOurs = await WebhookDelivery.in(tx)
    .where({ id: due.id, job_id: due.jobId, status: 'pending' })
    .patch({
      status,
      attemptCount: due.attemptCount + 1,
      nextAttemptAt,
      jobId,
      finishedAt: nextAttemptAt ? null : result.at,
    })
  if (!isOurs) return
  const { retryAfterMs: _, ...attempt } = result
  await WebhookAttempt.in(tx).insert({ deliveryId: due.id, ...attempt })
  if (due.event.type === webhookTest.type) return announce(tx, due.id)
  const endpoint = await noteHealth(tx, due.endpoint, result)
  if (nextAttemptAt)
    await enqueueAttempts(tx, [{ delivery: { id: due.id, jobId }, endpoint, startAfter: nextAttemptAt }])
}

interface Decision {
  status: DeliveryStatus
  nextAttemptAt: Date | null
}

function decide(due: DueDelivery, result: AttemptResult): Decision {
  if (isSuccess(result)) return { status: 'succeeded', nextAttemptAt: null }
  if (result.statusCode === GONE || due.event.type === webhookTest.type)
    return { status: 'failed', nextAttemptAt: null }
  const pause = pauseAfter(due.attemptCount + 1, result.retryAfterMs)
  if (pause === null) return { status: 'exhausted', nextAttemptAt: null }
  return { status: 'pending', nextAttemptAt: new Date(result.at.getTime() + pause) }
}

/** Gives a delivery up without an attempt: its endpoint was deleted or switched off. */
export async function giveUp(tx: StoreTx, due: DueDelivery, at: Date): Promise<void> {
  await WebhookDelivery.in(tx)
    .where({ id: due.id, job_id: due.jobId, status: 'pending' })
    .patch({ status: 'failed', nextAttemptAt: null, jobId: null, finishedAt: at })
}
