import type { ListFilter } from '#shared/platform/db/list-query.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import type { RightsHolder } from '#shared/staff/rights.ts'
import { findWebhook } from '#shared/webhooks/webhook.ts'
import { WebhookAttempt } from './attempt.ts'
import { DELIVERIES, type DeliveryStatus, WebhookDelivery } from './delivery.ts'
import { viewDelivery } from './view.ts'

/** Returns the view of a delivery with its attempts for `reader`. Throws `resource.not_found`. */
export async function loadDeliveryView(tx: StoreTx, id: string, reader: RightsHolder) {
  const delivery = await WebhookDelivery.in(tx).findById(id)
  if (!delivery) throw CommonErrors.notFound()
  const attempts = await attemptsOf(tx, [id])
  return viewDelivery(delivery, attempts, reader)
}

interface DeliveryQuery extends ListFilter {
  status?: DeliveryStatus
}

/** Returns a page of a webhook's deliveries with their attempts, by default the newest event first. */
export async function loadDeliveryViews(
  tx: StoreTx,
  webhookId: string,
  query: DeliveryQuery,
  reader: RightsHolder,
) {
  await findWebhook(tx, webhookId)
  const { status } = query
  const { results: deliveries, total } = await DELIVERIES.page(
    WebhookDelivery.in(tx).where({ webhook_id: webhookId, ...(status ? { status } : {}) }),
    query,
  )
  const attempts = await attemptsOf(
    tx,
    deliveries.map(({ id }) => id),
  )
  const results = deliveries.map((delivery) =>
    viewDelivery(
      delivery,
      attempts.filter(({ deliveryId }) => deliveryId === delivery.id),
      reader,
    ),
  )
  return { results, total }
}

const attemptsOf = (tx: StoreTx, deliveryIds: string[]): Promise<WebhookAttempt[]> =>
  WebhookAttempt.in(tx).whereIn('delivery_id', deliveryIds).orderBy('id').execute() as Promise<
    WebhookAttempt[]
  >

/** Waits up to `timeoutMs` for the result of a delivery and returns its view. Call it outside a transaction. */
export const awaitDelivery = (storeId: string, deliveryId: string, timeoutMs: number, reader: RightsHolder) =>
  waitUntilSettled(
    deliveryId,
    timeoutMs,
    () => inStore(storeId, (tx) => loadDeliveryView(tx, deliveryId, reader)),
    ({ status }) => status !== 'pending',
  )
