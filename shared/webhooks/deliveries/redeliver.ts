import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { deleteWaitingJobsById } from '#shared/platform/jobs/waiting-jobs.ts'
import { ATTEMPT_BYTES } from '#shared/webhooks/attempts/attempt.ts'
import { WebhookErrors } from '#shared/webhooks/errors.ts'
import { DELIVERY_QUEUES } from '#shared/webhooks/jobs.ts'
import { covers } from '#shared/webhooks/subscribes-to.ts'
import { findWebhook } from '#shared/webhooks/webhook.ts'
import { redeliveryColumns, WebhookDelivery } from './delivery.ts'
import { fillWindow } from './fill-window.ts'

/**
 * Sends an event to its webhook again with the same `webhook-id` and a new series of attempts. Beyond the webhook's
 * window it is held. Throws `resource.not_found`, `webhooks.disabled`, and `webhooks.not_subscribed` for an event that
 * the webhook no longer covers.
 */
export async function redeliver(tx: StoreTx, deliveryId: string): Promise<void> {
  const before = assertFound(await WebhookDelivery.in(tx).findById(deliveryId).forNoKeyUpdate())
  const webhook = await findWebhook(tx, before.webhookId)
  if (!webhook.isActive) throw WebhookErrors.disabled()
  if (!covers(webhook, before.eventType)) throw WebhookErrors.notSubscribed()
  // A running job of an earlier attempt finds another job id in the delivery and does nothing. Delete a waiting one,
  // because repeated redeliveries would fill the queue.
  if (before.jobId) await deleteWaitingJobsById(tx.knex, DELIVERY_QUEUES, [before.jobId])
  await WebhookDelivery.in(tx).findById(deliveryId).patch(redeliveryColumns())
  tx.noteStored(ATTEMPT_BYTES)
  await fillWindow(tx, webhook.id)
}
