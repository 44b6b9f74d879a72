import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { newDelivery, WebhookDelivery } from './delivery.ts'
import { findEndpoint } from './endpoint.ts'
import { webhookTest } from './events.ts'

/** Sends `webhook.test` to one endpoint, active or not, in a single attempt. Returns the delivery. */
export async function sendTest(tx: StoreTx, endpointId: string): Promise<WebhookDelivery> {
  const endpoint = await findEndpoint(tx, endpointId)
  const eventId = await emit(tx, webhookTest, {
    webhook_id: endpoint.id,
    message: 'This is a test of your webhook.',
  })
  return WebhookDelivery.in(tx)
    .insert(newDelivery({ id: eventId, type: webhookTest.type }, endpoint.id))
    .returning('*')
}
