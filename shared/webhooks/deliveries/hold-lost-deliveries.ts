import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { hasPublishedEventSql } from '#shared/platform/events/event-view.ts'
import { hasPendingJobSql } from '#shared/platform/jobs/pending-jobs.ts'
import { deliverSlowWebhook, deliverWebhook } from '#shared/webhooks/jobs.ts'
import { WebhookDelivery } from './delivery.ts'

const BATCH_SIZE = 500

/** Holds the store's overdue deliveries whose job does not exist, so that they get a new one. Returns their number. */
export async function holdLostDeliveries(tx: StoreTx, dueBefore: Date): Promise<number> {
  const lost = await WebhookDelivery.in(tx)
    .where('status', 'pending')
    .whereNotNull('job_id')
    .where('next_attempt_at', '<', dueBefore)
    .whereRaw(`not ${hasPendingJobSql('webhook_deliveries.job_id', 2)}`, [
      deliverWebhook.queue,
      deliverSlowWebhook.queue,
    ])
    .whereRaw(hasPublishedEventSql('webhook_deliveries'))
    .select('id')
    .limit(BATCH_SIZE)
    .forNoKeyUpdate()
    .skipLocked()
  if (lost.length > 0)
    await WebhookDelivery.in(tx)
      .findByIds(lost.map(({ id }) => id))
      .patch({ jobId: null })
  return lost.length
}
