import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { hasPublishedEventSql } from '#shared/platform/events/event-view.ts'
import { hasPendingJobSql } from '#shared/platform/jobs/job-table.ts'
import { deliverSlowWebhook, deliverWebhook } from '#shared/webhooks/jobs.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { WebhookDelivery } from './delivery.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'

const BATCH_SIZE = 500

/** Enqueues the store's overdue deliveries that have no job. Returns their number. */
export async function requeueDeliveries(tx: StoreTx, dueBefore: Date): Promise<number> {
  const overdue = await WebhookDelivery.in(tx)
    .where('status', 'pending')
    .where('next_attempt_at', '<', dueBefore)
    .whereRaw(`not ${hasPendingJobSql('webhook_deliveries.job_id', 2)}`, [
      deliverWebhook.queue,
      deliverSlowWebhook.queue,
    ])
    .whereRaw(hasPublishedEventSql('webhook_deliveries'))
    .limit(BATCH_SIZE)
    .forNoKeyUpdate()
    .skipLocked()
  const webhooks = await Webhook.in(tx).findByIds(overdue.map(({ webhookId }) => webhookId))
  for (const stale of overdue) {
    const delivery = stale.with({ jobId: newId() })
    await WebhookDelivery.in(tx).findById(delivery.id).patch({ jobId: delivery.jobId })
    const webhook = webhooks.find(({ id }) => id === delivery.webhookId)
    if (webhook) await enqueueAttempts(tx, [{ delivery, webhook }])
  }
  return overdue.length
}
