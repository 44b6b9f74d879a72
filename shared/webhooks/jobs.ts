import { Uuid } from '#shared/platform/http/schema.ts'
import { defineJob, definePlatformJob } from '#shared/platform/jobs/define-job.ts'

const payload = { deliveryId: Uuid }

// Later attempts are separate jobs with their own delays. The queue retries a job only after a worker died or the
// database was unavailable.
const rules = { retries: 10, retryDelaySeconds: 1, retryDelayMaxSeconds: 30, expireInSeconds: 30 }

/**
 * Sends an event to a webhook that responds fast. A waiting request costs little, so the concurrency is high: it takes
 * twenty stores that become slow at the same time to fill the queue.
 */
export const deliverWebhook = defineJob('deliver-webhook', payload, {
  ...rules,
  concurrency: 640,
  perStore: 32,
})

/** Sends an event to a webhook that failed or was slow at the last attempt. */
export const deliverSlowWebhook = defineJob('deliver-slow-webhook', payload, {
  ...rules,
  concurrency: 200,
  perStore: 4,
})

/** The queues of the attempts of deliveries. */
export const DELIVERY_QUEUES = [deliverWebhook.queue, deliverSlowWebhook.queue]

/** Fails the pending deliveries of a deleted webhook. It may have a backlog of hundreds of thousands. */
export const failDeliveries = defineJob('fail-deliveries', { webhookId: Uuid }, { expireInSeconds: 600 })

/** Enqueues the events and deliveries that have lost their job. */
export const recoverDeliveries = definePlatformJob(
  'recover-deliveries',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 300 },
)

/** Deletes the deliveries of all stores after their retention. */
export const purgeDeliveries = definePlatformJob(
  'purge-deliveries',
  {},
  { concurrency: 1, retries: 2, expireInSeconds: 3600 },
)
