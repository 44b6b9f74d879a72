import { filterByTime } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { eventKinds } from '#shared/platform/events/events.ts'
import { now } from '#shared/platform/time/clock.ts'
import { WebhookErrors } from '#shared/webhooks/errors.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { checkPatterns, matches } from '#shared/webhooks/patterns.ts'
import { lockWebhook } from '#shared/webhooks/webhook.ts'
import { WebhookDelivery } from './delivery.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'

/** Which failed deliveries to send again. Default: all. */
export interface FailedDeliveries {
  /** Created at this time or later. */
  from?: string | undefined
  /** Created before this time. */
  to?: string | undefined
  /** Event types, `order.*`, or `*`. */
  eventTypes?: readonly string[] | undefined
}

const BATCH_SIZE = 1_000
/** The deliveries of one call: a request must not lock and queue a year of failures. */
export const MAX_REDELIVERED = 5_000

/** The deliveries that are sent again, and those that another call would send. */
export interface Redelivered {
  deliveries: number
  left: number
}

/**
 * Sends the events of a webhook's failed and exhausted deliveries again, the oldest first and at most
 * `MAX_REDELIVERED`, each with its former `webhook-id` and a new series of attempts. Their jobs wait in the webhook's
 * queue, which sets the pace. Test events are left out, and those that the webhook no longer covers. Throws 404,
 * `webhooks.disabled`, and 422 for an unknown event type.
 */
export async function redeliverFailed(
  tx: StoreTx,
  webhookId: string,
  { from, to, eventTypes = ['*'] }: FailedDeliveries,
): Promise<Redelivered> {
  const patterns = checkPatterns(eventTypes, 'event_types')
  const webhook = await lockWebhook(tx, webhookId)
  if (!webhook.isActive) throw WebhookErrors.disabled()
  const types = [...eventKinds().keys()].filter(
    (type) => type !== webhookTest.type && matches(patterns, type) && matches(webhook.events, type),
  )
  const failed = WebhookDelivery.in(tx)
    .where('webhook_id', webhookId)
    .whereIn('status', ['failed', 'exhausted'])
    .whereIn('event_type', types)
  filterByTime(failed, 'created_at', from, to)
  const found = await failed.clone().resultSize()
  const oldest = failed.select('id').orderBy('id').limit(MAX_REDELIVERED)
  const deliveries = (await WebhookDelivery.in(tx)
    .whereIn('id', oldest)
    .patch({
      status: 'pending',
      attemptCount: 0,
      nextAttemptAt: now(),
      jobId: tx.knex.raw('gen_random_uuid()') as unknown as string,
    })
    .returning(['id', 'job_id', 'event_id'])) as unknown as WebhookDelivery[]
  // Ids of events sort by time.
  deliveries.sort((one, other) => (one.eventId < other.eventId ? -1 : 1))
  for (let first = 0; first < deliveries.length; first += BATCH_SIZE)
    await enqueueAttempts(
      tx,
      deliveries.slice(first, first + BATCH_SIZE).map((delivery) => ({ delivery, webhook })),
    )
  return { deliveries: deliveries.length, left: found - deliveries.length }
}
