import { config } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { readEventBody } from '#shared/platform/events/read-event-body.ts'
import type { JobPayload } from '#shared/platform/jobs/define-job.ts'
import type { semaphore } from '#shared/platform/throttle/semaphore.ts'
import type { AttemptResult } from '#shared/webhooks/attempts/attempt.ts'
import type { DeliveryResult } from '#shared/webhooks/deliveries/delivery.ts'
import { requeueAttempt, usesSlowQueue } from '#shared/webhooks/deliveries/enqueue-attempts.ts'
import { failDelivery } from '#shared/webhooks/deliveries/fail-delivery.ts'
import { fillWindow } from '#shared/webhooks/deliveries/fill-window.ts'
import {
  type DeliveryOfJob,
  findDeliveryOfJob,
  isDeliverable,
} from '#shared/webhooks/deliveries/find-delivery-of-job.ts'
import { recordAttempt } from '#shared/webhooks/deliveries/record-attempt.ts'
import { isHealthyAttempt, recordHealthyAttempt } from '#shared/webhooks/deliveries/record-healthy-attempt.ts'
import type { deliverWebhook } from '#shared/webhooks/jobs.ts'
import { createWebhookGateway, type WebhookGateway } from '#workers/gateways/webhook-http.ts'
import type { JobRun } from '#workers/platform/handle.ts'
import { markIfSlow } from './mark-if-slow.ts'
import { deliveryAttempts } from './metrics.ts'
import { sendAttempt } from './send-attempt.ts'

let opened: WebhookGateway | undefined

const gateway = (): WebhookGateway => {
  opened ??= createWebhookGateway({ allowLocal: config().ALLOW_LOCAL_HOSTS })
  return opened
}

type Payload = JobPayload<typeof deliverWebhook>

/** The queue of a job: the slow or the fast one. */
interface DeliveryQueue {
  isSlow: boolean
  /** Limits the large events that are sent at a time. */
  limitLarge: ReturnType<typeof semaphore>
}

/**
 * Sends a delivery once, records the result, and fills the webhook's window if that leaves it low. The request runs
 * between two transactions. If a worker dies between them, the delivery stays unchanged, and the job runs again with
 * the same `webhook-id`.
 */
export async function attemptDelivery(payload: Payload, run: JobRun, queue: DeliveryQueue): Promise<void> {
  const { storeId } = payload
  const delivery = await findOrRequeue(payload, run, queue)
  if (!delivery) return
  if (!isDeliverable(delivery))
    return endAttempt(storeId, delivery, await inStore(storeId, (tx) => failDelivery(tx, delivery)))
  const { body } = delivery.event
  const result =
    body === null
      ? await sendLargeEvent(payload, run, queue, delivery)
      : await sendEvent(delivery, body, run, queue)
  if (result) await endAttempt(storeId, delivery, await record(storeId, delivery, result))
}

/**
 * Finds the delivery of a job. Null if it is settled or belongs to another job. Moves it to the slow queue and returns
 * null if its webhook has become slow.
 */
async function findOrRequeue(
  { storeId, deliveryId }: Payload,
  { jobId }: JobRun,
  queue: DeliveryQueue,
): Promise<DeliveryOfJob | null> {
  const delivery = await findDeliveryOfJob(storeId, deliveryId, jobId)
  if (!delivery || queue.isSlow || !usesSlowQueue(delivery.webhook)) return delivery
  await inStore(storeId, (tx) => requeueAttempt(tx, delivery))
  return null
}

/**
 * Sends a large event after it has waited for a permit, and reads its body only then. Null if the delivery has left the
 * queue since. Otherwise the large events of a webhook that has become slow would wait for permits until their jobs
 * expire.
 */
const sendLargeEvent = (
  payload: Payload,
  run: JobRun,
  queue: DeliveryQueue,
  delivery: DeliveryOfJob,
): Promise<AttemptResult | null> =>
  queue.limitLarge(
    async () => {
      run.signal.throwIfAborted()
      if (!(await findOrRequeue(payload, run, queue))) return null
      return sendEvent(delivery, await readEventBody(payload.storeId, delivery.event.id), run, queue)
    },
    { group: payload.storeId },
  )

/** Sends an event. In the fast queue, it marks the webhook as slow as soon as the request is. */
function sendEvent(
  { webhook, event: { id } }: DeliveryOfJob,
  body: string,
  { signal }: JobRun,
  queue: DeliveryQueue,
): Promise<AttemptResult> {
  const send = () => sendAttempt({ webhook, event: { id, body } }, gateway(), signal)
  return queue.isSlow ? send() : markIfSlow(webhook.storeId, webhook.id, send)
}

/** Records an attempt that has been made. */
const record = (storeId: string, delivery: DeliveryOfJob, result: AttemptResult): Promise<DeliveryResult> =>
  isHealthyAttempt(delivery, result)
    ? recordHealthyAttempt(storeId, delivery, result)
    : inStore(storeId, (tx) => recordAttempt(tx, delivery, result))

async function endAttempt(
  storeId: string,
  { webhook }: DeliveryOfJob,
  { status, isWindowLow }: DeliveryResult,
): Promise<void> {
  if (isWindowLow) await inStore(storeId, (tx) => fillWindow(tx, webhook.id))
  deliveryAttempts.inc({ status })
}
