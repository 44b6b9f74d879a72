import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { findWebhook } from '#shared/webhooks/webhook.ts'
import { newDelivery, WebhookDelivery } from './delivery.ts'

/** Sends `webhook.test` to one webhook, active or not, in a single attempt. Returns the delivery. */
export async function sendTest(tx: StoreTx, webhookId: string): Promise<WebhookDelivery> {
  const webhook = await findWebhook(tx, webhookId)
  const eventId = await emit(tx, webhookTest, {
    webhook_id: webhook.id,
    message: 'This is a test of your webhook.',
  })
  return WebhookDelivery.in(tx)
    .insert(newDelivery({ id: eventId, type: webhookTest.type }, webhook.id))
    .returning('*')
}
