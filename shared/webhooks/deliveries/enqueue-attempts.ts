import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import { deliverSlowWebhook, deliverWebhook } from '#shared/webhooks/jobs.ts'
import type { Webhook } from '#shared/webhooks/webhook.ts'
import { WebhookDelivery } from './delivery.ts'
import type { DeliveryOfJob } from './find-delivery-of-job.ts'

export interface NextAttempt {
  delivery: { id: string; jobId: string }
  webhook: Pick<Webhook, 'failingSince' | 'isSlow'>
  startAfter?: Date
}

/** Whether a webhook's deliveries use the slow queue, so that they delay only each other. */
export const usesSlowQueue = ({ isSlow, failingSince }: NextAttempt['webhook']): boolean =>
  isSlow || failingSince !== null

/** Enqueues the next attempts of deliveries, each with the job id that its delivery names. */
export async function enqueueAttempts(tx: StoreTx, attempts: NextAttempt[]): Promise<void> {
  const isSlow = ({ webhook }: NextAttempt) => usesSlowQueue(webhook)
  const fast = attempts.filter((attempt) => !isSlow(attempt))
  await enqueueAll(tx, deliverWebhook, fast.map(toJob))
  await enqueueAll(tx, deliverSlowWebhook, attempts.filter(isSlow).map(toJob))
}

const toJob = ({ delivery, startAfter }: NextAttempt) => ({
  payload: { deliveryId: delivery.id },
  id: delivery.jobId,
  ...(startAfter ? { startAfter } : {}),
})

/** Replaces a delivery's job by one in the queue that fits its webhook now. */
export async function requeueAttempt(
  tx: StoreTx,
  { id, jobId, webhook }: Pick<DeliveryOfJob, 'id' | 'jobId' | 'webhook'>,
): Promise<void> {
  const next = newId()
  const isOurs = await WebhookDelivery.in(tx)
    .where({ id, job_id: jobId, status: 'pending' })
    .patch({ jobId: next })
  if (isOurs) await enqueueAttempts(tx, [{ delivery: { id, jobId: next }, webhook }])
}
