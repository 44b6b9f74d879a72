import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { WebhookAttempt } from './attempt.ts'
import { WebhookDelivery } from './delivery.ts'
import { findEndpoint } from './find-endpoint.ts'
import type { DeliveryStatus } from './states.ts'
import { viewDelivery } from './view.ts'

/** A delivery with its attempts, as clients see it. Throws `resource.not_found`. */
export async function showDelivery(tx: StoreTx, id: string) {
  const delivery = await WebhookDelivery.in(tx).findById(id)
  if (!delivery) throw CommonErrors.notFound()
  const attempts = await attemptsOf(tx, [id])
  return viewDelivery(delivery, attempts)
}

interface DeliveryQuery extends Paged {
  status?: DeliveryStatus
}

/** A page of an endpoint's deliveries with their attempts, the newest event first: their ids are sorted by time. */
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
