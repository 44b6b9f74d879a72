import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueueAll } from '#shared/platform/jobs/enqueue.ts'
import { WebhookDelivery } from './delivery.ts'
import type { WebhookEndpoint } from './endpoint.ts'
import type { DueDelivery } from './find-due-delivery.ts'
import { deliverSlowWebhook, deliverWebhook } from './jobs.ts'

export interface NextAttempt {
  delivery: Pick<WebhookDelivery, 'id' | 'jobId'>
  endpoint: Pick<WebhookEndpoint, 'failingSince' | 'isSlow'>
  startAfter?: Date
}

/** Whether an endpoint's deliveries go where they hold up none but their like. */
export const isHeldBack = ({ isSlow, failingSince }: NextAttempt['endpoint']): boolean =>
  isSlow || failingSince !== null

/** Sends the jobs of deliveries' next attempts, each under the `jobId` that its delivery names. */
export async function enqueueAttempts(tx: StoreTx, attempts: NextAttempt[]): Promise<void> {
  const held = ({ endpoint }: NextAttempt) => isHeldBack(endpoint)
  for (const [job, waiting] of [
    [deliverWebhook, attempts.filter((attempt) => !held(attempt))],
    [deliverSlowWebhook, attempts.filter(held)],
  ] as const)
    await enqueueAll(
      tx,
      job,
      waiting.map(({ delivery, startAfter }) => ({
        payload: { deliveryId: delivery.id },
        ...(delivery.jobId ? { id: delivery.jobId } : {}),
        ...(startAfter ? { startAfter } : {}),
      })),
    )
}

/** Gives a delivery's attempt to the job that is meant for an endpoint as its endpoint is now. */
export async function passOn(
  tx: StoreTx,
  { id, jobId, endpoint }: Pick<DueDelivery, 'id' | 'jobId' | 'endpoint'>,
): Promise<void> {
  const next = newId()
  const isOurs = await WebhookDelivery.in(tx)
    .where({ id, job_id: jobId, status: 'pending' })
    .patch({ jobId: next })
  if (isOurs) await enqueueAttempts(tx, [{ delivery: { id, jobId: next }, endpoint }])
}
