import type { Paged } from '#shared/platform/db/list-query.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { WebhookAttempt } from './attempt.ts'
import { type DeliveryStatus, WebhookDelivery } from './delivery.ts'
import { findEndpoint } from './endpoint.ts'
import { viewDelivery } from './view.ts'

/** Returns the view of a delivery with its attempts. Throws `resource.not_found`. */
export async function showDelivery(tx: StoreTx, id: string) {
  const delivery = await WebhookDelivery.in(tx).findById(id)
  if (!delivery) throw CommonErrors.notFound()
  const attempts = await attemptsOf(tx, [id])
  return viewDelivery(delivery, attempts)
}

interface DeliveryQuery extends Paged {
  status?: DeliveryStatus
}

/** Returns a page of an endpoint's deliveries with their attempts, the newest event first. */
export async function showDeliveries(tx: StoreTx, endpointId: string, query: DeliveryQuery) {
  await findEndpoint(tx, endpointId)
  const { results: deliveries, total } = await WebhookDelivery.in(tx)
    .where({ endpoint_id: endpointId, ...(query.status ? { status: query.status } : {}) })
    .orderBy('event_id', 'desc')
    .page(query.page - 1, query.page_size)
  const attempts = await attemptsOf(
    tx,
    deliveries.map(({ id }) => id),
  )
  const results = deliveries.map((delivery) =>
    viewDelivery(
      delivery,
      attempts.filter(({ deliveryId }) => deliveryId === delivery.id),
    ),
  )
  return { results, total }
}

const attemptsOf = (tx: StoreTx, deliveryIds: string[]): Promise<WebhookAttempt[]> =>
  WebhookAttempt.in(tx).whereIn('delivery_id', deliveryIds).orderBy('id').execute() as Promise<
    WebhookAttempt[]
  >

/** Waits up to `timeoutMs` for the result of a delivery and returns its view. Call it outside a transaction. */
export const awaitDelivery = (storeId: string, deliveryId: string, timeoutMs: number) =>
  waitUntilSettled(
    deliveryId,
    timeoutMs,
    () => inStore(storeId, (tx) => showDelivery(tx, deliveryId)),
    ({ status }) => status !== 'pending',
  )
