import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { failDeliveries } from './jobs.ts'
import { lockWebhook, Webhook } from './webhook.ts'

/**
 * Deletes a webhook and keeps its deliveries. A job fails the pending ones. Their own jobs would wait up to a day, and
 * webhooks that are created and deleted again and again would fill the queue.
 */
export async function deleteWebhook(tx: StoreTx, id: string): Promise<void> {
  await lockWebhook(tx, id)
  await Webhook.in(tx).findById(id).patch({ isActive: false, deletedAt: now() })
  await enqueue(tx, failDeliveries, { webhookId: id })
}
