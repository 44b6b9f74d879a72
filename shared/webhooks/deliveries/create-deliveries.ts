import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { PublishedEvent } from '#shared/platform/events/event-log.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { matches } from '#shared/webhooks/patterns.ts'
import { Webhook } from '#shared/webhooks/webhook.ts'
import { newDelivery, WebhookDelivery } from './delivery.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'

type UndeliveredEvent = Pick<PublishedEvent, 'id' | 'type'>

/** Creates a delivery of each event for every subscribed webhook, and the jobs that send them. */
export async function createDeliveries(tx: StoreTx, events: UndeliveredEvent[]): Promise<void> {
  const webhooks = await Webhook.in(tx).whereNull('deleted_at')
  const deliveries = await insertDeliveries(tx, events, webhooks)
  const tests = events.filter((event) => event.type === webhookTest.type)
  if (tests.length > 0) deliveries.push(...(await findTests(tx, tests, webhooks)))
  const webhookOf = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
  const attempts = deliveries.flatMap((delivery) => {
    const webhook = webhookOf.get(delivery.webhookId)
    return webhook ? [{ delivery, webhook }] : []
  })
  await enqueueAttempts(tx, attempts)
}

/** `sendTest` created the delivery of a test event, for the tested webhook only. */
const findTests = async (tx: StoreTx, tests: UndeliveredEvent[], webhooks: Webhook[]) =>
  WebhookDelivery.in(tx)
    .whereIn(
      'webhook_id',
      webhooks.map(({ id }) => id),
    )
    .whereIn(
      'event_id',
      tests.map(({ id }) => id),
    )

async function insertDeliveries(
  tx: StoreTx,
  events: UndeliveredEvent[],
  webhooks: Webhook[],
): Promise<WebhookDelivery[]> {
  const rows = events.flatMap((event) =>
    webhooks
      .filter((webhook) => isSubscribed(event, webhook))
      .map((webhook) => newDelivery(event, webhook.id)),
  )
  return rows.length > 0 ? WebhookDelivery.in(tx).insert(rows) : []
}

const isSubscribed = (event: UndeliveredEvent, webhook: Webhook): boolean =>
  webhook.isActive && event.type !== webhookTest.type && matches(webhook.events, event.type)
