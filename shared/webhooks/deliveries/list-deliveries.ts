import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { RightsHolder } from '#shared/staff/rights.ts'
import { findAttempts } from '#shared/webhooks/attempts/attempt.ts'
import { findWebhook } from '#shared/webhooks/webhook.ts'
import { WebhookDelivery } from './delivery.ts'
import { DELIVERY_STATUSES } from './states.ts'
import { viewDelivery } from './view.ts'

// The index of a webhook's deliveries is in the order of the events, whose ids sort by time.
export const DELIVERIES = new List({
  sorts: { created_at: 'event_id', event_type: 'event_type' },
  order: '-created_at',
  searches: 'Part of the event type',
  text: ['event_type'],
  filters: {
    status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
  },
})

type DeliveryFilter = FilterOf<typeof DELIVERIES>

/** Returns a page of a webhook's deliveries with their attempts, by default the newest event first. */
export async function listDeliveries(
  tx: StoreTx,
  webhookId: string,
  query: DeliveryFilter,
  reader: RightsHolder,
) {
  await findWebhook(tx, webhookId)
  const { status } = query
  const { results: deliveries, total } = await DELIVERIES.page(
    WebhookDelivery.in(tx).where({ webhook_id: webhookId, ...(status ? { status } : {}) }),
    query,
  )
  const attempts = await findAttempts(
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
