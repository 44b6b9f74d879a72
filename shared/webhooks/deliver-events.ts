import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { PublishedEvent } from '#shared/platform/events/event-log.ts'
import { newDelivery, WebhookDelivery } from './delivery.ts'
import { WebhookEndpoint } from './endpoint.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'
import { webhookTest } from './events.ts'
import { matches } from './patterns.ts'

/** Creates a delivery of each event for every subscribed endpoint, and the jobs that send them. */
export async function deliverEvents(tx: StoreTx, events: PublishedEvent[]): Promise<void> {
  const endpoints = await WebhookEndpoint.in(tx).whereNull('deleted_at')
  const deliveries = await insertDeliveries(tx, events, endpoints)
  const tests = events.filter((event) => event.type === webhookTest.type)
  if (tests.length > 0) deliveries.push(...(await findTests(tx, tests, endpoints)))
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const attempts = deliveries.flatMap((delivery) => {
    const endpoint = endpointOf.get(delivery.endpointId)
    return endpoint ? [{ delivery, endpoint }] : []
  })
  await enqueueAttempts(tx, attempts)
}

/** `sendTest` created the delivery of a test event, for the tested endpoint only. */
const findTests = async (tx: StoreTx, tests: PublishedEvent[], endpoints: WebhookEndpoint[]) =>
  WebhookDelivery.in(tx)
    .whereIn(
      'endpoint_id',
      endpoints.map(({ id }) => id),
    )
    .whereIn(
      'event_id',
      tests.map(({ id }) => id),
    )

async function insertDeliveries(
  tx: StoreTx,
  events: PublishedEvent[],
  endpoints: WebhookEndpoint[],
): Promise<WebhookDelivery[]> {
  const rows = events.flatMap((event) =>
    endpoints
      .filter((endpoint) => isSubscribed(event, endpoint))
      .map((endpoint) => newDelivery(event, endpoint.id)),
  )
  return rows.length > 0 ? WebhookDelivery.in(tx).insert(rows) : []
}

const isSubscribed = (event: PublishedEvent, endpoint: WebhookEndpoint): boolean =>
  endpoint.isActive && event.type !== webhookTest.type && matches(endpoint.events, event.type)
