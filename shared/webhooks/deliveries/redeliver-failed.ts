import { filterByTime } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { eventKinds } from '#shared/platform/events/events.ts'
import { assertBytesLeft } from '#shared/platform/throttle/limit-stored-bytes.ts'
import { ATTEMPT_BYTES } from '#shared/webhooks/attempts/attempt.ts'
import { WebhookErrors } from '#shared/webhooks/errors.ts'
import { checkPatterns, matches } from '#shared/webhooks/patterns.ts'
import { subscribesTo } from '#shared/webhooks/subscribes-to.ts'
import { lockWebhook } from '#shared/webhooks/webhook.ts'
import { redeliveryColumns, WebhookDelivery } from './delivery.ts'
import { enqueueHeld } from './fill-window.ts'
import { UNDELIVERED_STATUSES } from './states.ts'

/** Selects the failed deliveries to send again. Default: all. */
export interface FailedDeliveries {
  /** Created at this time or later. */
  from?: string | undefined
  /** Created before this time. */
  to?: string | undefined
  /** Event types, `order.*`, or `*`. */
  eventTypes?: readonly string[] | undefined
}

/** One call sends at most this many deliveries again, so that no request locks the failures of a whole year. */
export const MAX_REDELIVERED = 5_000

/** `deliveries`: the number that is sent again. `left`: the number that needs another call. */
export interface Redelivered {
  deliveries: number
  left: number
}

/**
 * Sends the events of a webhook's failed and exhausted deliveries again: the oldest first, at most `MAX_REDELIVERED`.
 * Each keeps its `webhook-id` and gets a new series of attempts. Those beyond the webhook's window are held. Test
 * events and events that the webhook no longer covers are left out. Throws `resource.not_found`, `webhooks.disabled`,
 * 422 for an unknown event type, and 429 past LIMIT_STORED_MB.
 */
export async function redeliverFailed(
  tx: StoreTx,
  webhookId: string,
  { from, to, eventTypes = ['*'] }: FailedDeliveries,
): Promise<Redelivered> {
  // Check before the update: a limit that refuses the commit would undo it.
  await assertBytesLeft(tx, 'staff')
  const patterns = checkPatterns(eventTypes, 'event_types')
  const webhook = await lockWebhook(tx, webhookId)
  if (!webhook.isActive) throw WebhookErrors.disabled()
  const types = [...eventKinds().keys()].filter(
    (type) => matches(patterns, type) && subscribesTo(webhook, type),
  )
  const failed = WebhookDelivery.in(tx)
    .where('webhook_id', webhookId)
    .whereIn('status', UNDELIVERED_STATUSES)
    .whereIn('event_type', types)
  filterByTime(failed, 'created_at', from, to)
  const found = await failed.clone().resultSize()
  const oldest = failed.select('id').orderBy('id').limit(MAX_REDELIVERED)
  const deliveries = await WebhookDelivery.in(tx).whereIn('id', oldest).patch(redeliveryColumns())
  tx.noteStored(deliveries * ATTEMPT_BYTES)
  await enqueueHeld(tx, webhook)
  return { deliveries, left: found - deliveries }
}
