import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { hasPublishedEventSql } from '#shared/platform/events/event-view.ts'
import { hasPendingJobSql } from '#shared/platform/jobs/job-table.ts'
import { WebhookDelivery } from './delivery.ts'
import { WebhookEndpoint } from './endpoint.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'
import { deliverSlowWebhook, deliverWebhook } from './jobs.ts'

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
  const endpoints = await WebhookEndpoint.in(tx).findByIds(overdue.map(({ endpointId }) => endpointId))
  for (const delivery of overdue) {
    delivery.jobId = newId()
    await WebhookDelivery.in(tx).findById(delivery.id).patch({ jobId: delivery.jobId })
    const endpoint = endpoints.find(({ id }) => id === delivery.endpointId)
    if (endpoint) await enqueueAttempts(tx, [{ delivery, endpoint }])
  }
  return overdue.length
}
