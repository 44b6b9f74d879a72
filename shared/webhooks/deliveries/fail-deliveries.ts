import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { deleteWaitingJobsById } from '#shared/platform/jobs/waiting-jobs.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { DELIVERY_QUEUES } from '#shared/webhooks/jobs.ts'
import { WebhookDelivery } from './delivery.ts'

const BATCH_SIZE = 1_000

/**
 * Fails up to 1,000 pending deliveries of a deleted webhook and deletes their waiting jobs: queued deliveries first,
 * and then held ones. Returns whether there may be more.
 */
export async function failDeliveries(tx: StoreTx, webhookId: string): Promise<boolean> {
  const pending = () =>
    WebhookDelivery.in(tx)
      .where({ webhook_id: webhookId, status: 'pending' })
      .limit(BATCH_SIZE)
      .select('id', 'job_id', 'event_type')
      .forNoKeyUpdate()
  // Each of the two has an index.
  const queued = await pending().whereNotNull('job_id')
  const deliveries = queued.length > 0 ? queued : await pending().whereNull('job_id')
  if (deliveries.length === 0) return false
  await WebhookDelivery.in(tx)
    .findByIds(deliveries.map(({ id }) => id))
    .patch({ status: 'failed', nextAttemptAt: null, jobId: null })
  // A running job finds that its delivery has settled.
  const jobIds = deliveries.flatMap(({ jobId }) => jobId ?? [])
  await deleteWaitingJobsById(tx.knex, DELIVERY_QUEUES, jobIds)
  for (const { id, eventType } of deliveries) if (eventType === webhookTest.type) await notifySettled(tx, id)
  return true
}
