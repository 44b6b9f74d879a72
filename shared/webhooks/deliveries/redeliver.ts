import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { WebhookErrors } from '#shared/webhooks/errors.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { matches } from '#shared/webhooks/patterns.ts'
import { findWebhook } from '#shared/webhooks/webhook.ts'
import { WebhookDelivery } from './delivery.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'

/**
 * Sends an event to its webhook again with the same `webhook-id` and a new series of attempts. Throws 404,
 * `webhooks.disabled`, and `webhooks.not_subscribed` for an event that the webhook no longer covers.
 */
export async function redeliver(tx: StoreTx, deliveryId: string): Promise<WebhookDelivery> {
  const before = await WebhookDelivery.in(tx).findById(deliveryId).forNoKeyUpdate()
  if (!before) throw CommonErrors.notFound()
  const webhook = await findWebhook(tx, before.webhookId)
  if (!webhook.isActive) throw WebhookErrors.disabled()
  const { eventType } = before
  if (eventType !== webhookTest.type && !matches(webhook.events, eventType))
    throw WebhookErrors.notSubscribed()
  // A waiting job of an earlier attempt finds another job id in the delivery and does nothing.
  const jobId = newId()
  const delivery = await WebhookDelivery.in(tx).patchAndFetchById(deliveryId, {
    status: 'pending',
    attemptCount: 0,
    nextAttemptAt: now(),
    jobId,
  })
  await enqueueAttempts(tx, [{ delivery: { id: deliveryId, jobId }, webhook }])
  return delivery
}
