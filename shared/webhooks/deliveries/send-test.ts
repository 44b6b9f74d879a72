import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { emit } from '#shared/platform/events/events.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { findWebhook } from '#shared/webhooks/webhook.ts'
import { newDelivery, WebhookDelivery } from './delivery.ts'

/**
 * The most test deliveries of a store that wait. A window does not limit them, and a receiver that does not respond
 * takes 15 seconds for each.
 */
export const MAX_PENDING_TESTS = 50

const RETRY_SECONDS = 15

/**
 * Sends `webhook.test` to one webhook, active or not, in a single attempt. Returns the delivery, whose job is enqueued
 * when the event is published, as an attempt reads only published events. Throws `resource.not_found`, and 429 while
 * too many tests of the store wait.
 */
export async function sendTest(tx: StoreTx, webhookId: string): Promise<WebhookDelivery> {
  const webhook = await findWebhook(tx, webhookId)
  const pending = WebhookDelivery.in(tx).where({ status: 'pending', event_type: webhookTest.type })
  if ((await pending.whereNotNull('job_id').resultSize()) >= MAX_PENDING_TESTS)
    throw CommonErrors.rateLimitExceeded({ retryAfter: RETRY_SECONDS })
  const eventId = await emit(tx, webhookTest, {
    webhook_id: webhook.id,
    message: 'This is a test of your webhook.',
  })
  return WebhookDelivery.in(tx)
    .insert(newDelivery({ id: eventId, type: webhookTest.type }, webhook.id))
    .returning('*')
}
