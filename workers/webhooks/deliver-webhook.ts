import { config } from '#shared/platform/config/config.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { isHeldBack, passOn } from '#shared/webhooks/enqueue-attempts.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { type DueDelivery, findDueDelivery } from '#shared/webhooks/find-due-delivery.ts'
import { deliverWebhook as job, deliverSlowWebhook as slowJob } from '#shared/webhooks/jobs.ts'
import { noteSlow, SLOW_MS } from '#shared/webhooks/note-health.ts'
import { giveUp, recordAttempt } from '#shared/webhooks/record-attempt.ts'
import { createWebhookGateway, type WebhookGateway } from '#workers/gateways/webhook-http.ts'
import { handle, type JobRun } from '#workers/platform/handle.ts'
import { attempt } from './attempt.ts'

let opened: WebhookGateway | undefined

const gateway = (): WebhookGateway => {
  opened ??= createWebhookGateway({ allowLocal: config().ALLOW_LOCAL_HOSTS })
  return opened
}

type Delivery = { storeId: string; deliveryId: string }

/**
 * Makes one attempt. The request is made between two transactions: a worker that dies before the second one leaves
 * the delivery as it was, and the same job tries again, with the same `webhook-id`.
 */
async function deliver({ storeId, deliveryId }: Delivery, run: JobRun) {
  const due = await findDueDelivery(storeId, deliveryId, run.jobId)
  if (due) await settle(storeId, due, run)
}

/** The same, but for endpoints that answer soon: what turned out slow is passed on to wait among its like. */
async function deliverSwiftly({ storeId, deliveryId }: Delivery, run: JobRun) {
  const due = await findDueDelivery(storeId, deliveryId, run.jobId)
  if (!due) return
  if (isHeldBack(due.endpoint)) return inStore(storeId, (tx) => passOn(tx, due))
  const telltale = setTimeout(() => tellSlow(storeId, due), SLOW_MS)
  await settle(storeId, due, run).finally(() => clearTimeout(telltale))
}

async function settle(storeId: string, due: DueDelivery, { signal }: JobRun) {
  if (!isWanted(due)) return inStore(storeId, (tx) => giveUp(tx, due))
  await recordAttempt(storeId, due, await attempt(due, gateway(), signal))
}

const isWanted = ({ endpoint, event }: DueDelivery): boolean =>
  !endpoint.isDeleted && (endpoint.isActive || event.type === webhookTest.type)

const tellSlow = (storeId: string, { endpoint }: DueDelivery) =>
  inStore(storeId, (tx) => noteSlow(tx, endpoint.id)).catch((error) =>
    log.warn({ err: error, storeId }, 'could not note a slow webhook'),
  )

export const deliverWebhook = handle(job, deliverSwiftly)
export const deliverSlowWebhook = handle(slowJob, deliver)
