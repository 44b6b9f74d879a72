import { config } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { readEventBody } from '#shared/platform/events/read-event-body.ts'
import { log } from '#shared/platform/log.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { failDelivery } from '#shared/webhooks/attempts/fail-delivery.ts'
import { recordAttempt } from '#shared/webhooks/attempts/record-attempt.ts'
import { recordSlow, SLOW_MS } from '#shared/webhooks/attempts/record-health.ts'
import type { AttemptResult } from '#shared/webhooks/deliveries/attempt.ts'
import { requeueAttempt, usesSlowQueue } from '#shared/webhooks/deliveries/enqueue-attempts.ts'
import { fillWindow } from '#shared/webhooks/deliveries/fill-window.ts'
import {
  type DueDelivery,
  findDueDelivery,
  isDeliverable,
} from '#shared/webhooks/deliveries/find-due-delivery.ts'
import { deliverWebhook as job, deliverSlowWebhook as slowJob } from '#shared/webhooks/jobs.ts'
import { createWebhookGateway, type WebhookGateway } from '#workers/gateways/webhook-http.ts'
import { handle, type JobRun } from '#workers/platform/handle.ts'
import { deliveryAttempts } from './metrics.ts'
import { sendAttempt } from './send-attempt.ts'

let opened: WebhookGateway | undefined

const gateway = (): WebhookGateway => {
  opened ??= createWebhookGateway({ allowLocal: config().ALLOW_LOCAL_HOSTS })
  return opened
}

/** How the deliveries of a queue are sent. */
interface Sending {
  /** Limits the large events that are sent at a time. */
  limitLarge: ReturnType<typeof semaphore>
  /** Runs a request, from its start to its end. */
  runRequest: (request: () => Promise<AttemptResult>) => Promise<AttemptResult>
}

// An event can have a megabyte, and a silent receiver holds it for 15 seconds. Without this limit, the jobs of a few
// stores fill the memory of the worker. The stores whose events wait take turns. The slow queue has a limit of its own,
// so that slow receivers do not hold up fast ones.
const large = { permits: 16, maxWaiting: 1_000 }
const limitLargeOfFast = semaphore(large)
const limitLargeOfSlow = semaphore(large)

/** Makes one attempt at a fast webhook. A delivery whose webhook became slow moves to the slow queue instead. */
export const deliverWebhook = handle(job, async ({ storeId, deliveryId }, run) => {
  const due = await findDueDelivery(storeId, deliveryId, run.jobId)
  if (!due) return
  if (usesSlowQueue(due.webhook)) return inStore(storeId, (tx) => requeueAttempt(tx, due))
  const runRequest: Sending['runRequest'] = (request) => markIfSlow(storeId, due, request)
  await attemptDelivery(storeId, due, run, { limitLarge: limitLargeOfFast, runRequest })
})

export const deliverSlowWebhook = handle(slowJob, async ({ storeId, deliveryId }, run) => {
  const due = await findDueDelivery(storeId, deliveryId, run.jobId)
  const runRequest: Sending['runRequest'] = (request) => request()
  if (due) await attemptDelivery(storeId, due, run, { limitLarge: limitLargeOfSlow, runRequest })
})

/**
 * Sends a delivery once, records the result, and fills the webhook's window if that leaves it low. The request runs
 * between two transactions. If a worker dies between them, the delivery stays unchanged, and the job runs again with
 * the same `webhook-id`.
 */
async function attemptDelivery(
  storeId: string,
  due: DueDelivery,
  { signal }: JobRun,
  sending: Sending,
): Promise<void> {
  const { status, isWindowLow } = isDeliverable(due)
    ? await recordAttempt(storeId, due, await send(storeId, due, signal, sending))
    : await inStore(storeId, (tx) => failDelivery(tx, due))
  if (isWindowLow) await inStore(storeId, (tx) => fillWindow(tx, due.webhook.id))
  deliveryAttempts.inc({ status })
}

/** Sends a delivery once. The body of a large event is read only when it can be sent. */
async function send(
  storeId: string,
  { webhook, event: { id, body } }: DueDelivery,
  signal: AbortSignal,
  { limitLarge, runRequest }: Sending,
): Promise<AttemptResult> {
  const post = (whole: string) =>
    runRequest(() => sendAttempt({ webhook, event: { id, body: whole } }, gateway(), signal))
  if (body !== null) return post(body)
  const postLarge = async () => {
    signal.throwIfAborted()
    return post(await readEventBody(storeId, id))
  }
  return limitLarge(postLarge, { group: storeId })
}

/** Runs a request, and marks its webhook as slow as soon as the request is. */
async function markIfSlow(
  storeId: string,
  due: DueDelivery,
  request: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
  let marking: Promise<void> | undefined
  const slowTimer = setTimeout(() => {
    marking = markSlow(storeId, due)
  }, SLOW_MS)
  try {
    return await request()
  } finally {
    clearTimeout(slowTimer)
    await marking
  }
}

const markSlow = (storeId: string, { webhook }: DueDelivery) =>
  inStore(storeId, (tx) => recordSlow(tx, webhook.id)).catch((error) =>
    log.warn({ err: error, storeId }, 'could not mark a webhook as slow'),
  )
