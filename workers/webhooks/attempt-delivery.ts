import { config } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { readEventBody } from '#shared/platform/events/read-event-body.ts'
import type { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { failDelivery } from '#shared/webhooks/attempts/fail-delivery.ts'
import { recordAttempt } from '#shared/webhooks/attempts/record-attempt.ts'
import type { AttemptResult } from '#shared/webhooks/deliveries/attempt.ts'
import { fillWindow } from '#shared/webhooks/deliveries/fill-window.ts'
import { type DueDelivery, isDeliverable } from '#shared/webhooks/deliveries/find-due-delivery.ts'
import { createWebhookGateway, type WebhookGateway } from '#workers/gateways/webhook-http.ts'
import { deliveryAttempts } from './metrics.ts'
import { sendAttempt } from './send-attempt.ts'

let opened: WebhookGateway | undefined

const gateway = (): WebhookGateway => {
  opened ??= createWebhookGateway({ allowLocal: config().ALLOW_LOCAL_HOSTS })
  return opened
}

/** How the deliveries of a queue are sent. */
interface Sending {
  /** Aborts when the worker stops. */
  signal: AbortSignal
  /** Limits the large events that are sent at a time. */
  limitLarge: ReturnType<typeof semaphore>
  /** Runs a request, from its start to its end. */
  runRequest: (request: () => Promise<AttemptResult>) => Promise<AttemptResult>
  /**
   * Whether the delivery must not be sent by this queue. It is called after a large event has waited for its permit.
   */
  mustMove: () => Promise<boolean>
}

/**
 * Sends a delivery once, records the result, and fills the webhook's window if that leaves it low. The request runs
 * between two transactions. If a worker dies between them, the delivery stays unchanged, and the job runs again with
 * the same `webhook-id`. A delivery of `mustMove` is not sent.
 */
export async function attemptDelivery(storeId: string, due: DueDelivery, sending: Sending): Promise<void> {
  const result = isDeliverable(due) ? await sendDelivery(storeId, due, sending) : 'not deliverable'
  if (result === 'must move') return
  const { status, isWindowLow } =
    result === 'not deliverable'
      ? await inStore(storeId, (tx) => failDelivery(tx, due))
      : await recordAttempt(storeId, due, result)
  if (isWindowLow) await inStore(storeId, (tx) => fillWindow(tx, due.webhook.id))
  deliveryAttempts.inc({ status })
}

/** Sends a delivery once. The body of a large event is read only when it can be sent. */
async function sendDelivery(
  storeId: string,
  { webhook, event: { id, body } }: DueDelivery,
  { signal, limitLarge, runRequest, mustMove }: Sending,
): Promise<AttemptResult | 'must move'> {
  const post = (whole: string) =>
    runRequest(() => sendAttempt({ webhook, event: { id, body: whole } }, gateway(), signal))
  if (body !== null) return post(body)
  const postLarge = async () => {
    signal.throwIfAborted()
    if (await mustMove()) return 'must move'
    return post(await readEventBody(storeId, id))
  }
  return limitLarge(postLarge, { group: storeId })
}
