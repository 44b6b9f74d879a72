import { config } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { failDelivery } from '#shared/webhooks/attempts/fail-delivery.ts'
import { recordAttempt } from '#shared/webhooks/attempts/record-attempt.ts'
import { recordSlow, SLOW_MS } from '#shared/webhooks/attempts/record-health.ts'
import { requeueAttempt, usesSlowQueue } from '#shared/webhooks/deliveries/enqueue-attempts.ts'
import {
  type DueDelivery,
  findDueDelivery,
  isDeliverable,
} from '#shared/webhooks/deliveries/find-due-delivery.ts'
import { deliverWebhook as job, deliverSlowWebhook as slowJob } from '#shared/webhooks/jobs.ts'
import { createWebhookGateway, type WebhookGateway } from '#workers/gateways/webhook-http.ts'
import { handle, type JobRun } from '#workers/platform/handle.ts'
import { deliveries } from './metrics.ts'
import { sendAttempt } from './send-attempt.ts'

let opened: WebhookGateway | undefined

const gateway = (): WebhookGateway => {
  opened ??= createWebhookGateway({ allowLocal: config().ALLOW_LOCAL_HOSTS })
  return opened
}

type Delivery = { storeId: string; deliveryId: string }

/**
 * Makes one attempt. The request runs between two transactions. If a worker dies between them, the delivery stays
 * unchanged, and the job runs again with the same `webhook-id`.
 */
async function deliver({ storeId, deliveryId }: Delivery, run: JobRun) {
  const due = await findDueDelivery(storeId, deliveryId, run.jobId)
  if (due) await settle(storeId, due, run)
}

/** Makes one attempt at a fast webhook. A delivery whose webhook became slow moves to the slow queue instead. */
async function deliverFast({ storeId, deliveryId }: Delivery, run: JobRun) {
  const due = await findDueDelivery(storeId, deliveryId, run.jobId)
  if (!due) return
  if (usesSlowQueue(due.webhook)) return inStore(storeId, (tx) => requeueAttempt(tx, due))
  const slowTimer = setTimeout(() => markSlow(storeId, due), SLOW_MS)
  await settle(storeId, due, run).finally(() => clearTimeout(slowTimer))
}

async function settle(storeId: string, due: DueDelivery, { signal }: JobRun) {
  if (isDeliverable(due)) {
    const status = await recordAttempt(storeId, due, await sendAttempt(due, gateway(), signal))
    return deliveries.inc({ status })
  }
  await failDelivery(storeId, due)
  deliveries.inc({ status: 'failed' })
}

const markSlow = (storeId: string, { webhook }: DueDelivery) =>
  inStore(storeId, (tx) => recordSlow(tx, webhook.id)).catch((error) =>
    log.warn({ err: error, storeId }, 'could not mark a webhook as slow'),
  )

export const deliverWebhook = handle(job, deliverFast)
export const deliverSlowWebhook = handle(slowJob, deliver)
