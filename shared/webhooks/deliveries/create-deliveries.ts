import { CURRENT_STORE, namedStatement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { PublishedEvent } from '#shared/platform/events/event-log.ts'
import { now } from '#shared/platform/time/clock.ts'
import { webhookTest } from '#shared/webhooks/events.ts'
import { subscribesTo } from '#shared/webhooks/subscribes-to.ts'
import { existingWebhooks, Webhook } from '#shared/webhooks/webhook.ts'
import { newDelivery, WebhookDelivery } from './delivery.ts'
import { enqueueAttempts } from './enqueue-attempts.ts'
import { countDueSql, hasHeldSql, WINDOW } from './window.ts'

type UndeliveredEvent = Pick<PublishedEvent, 'id' | 'type'>

/**
 * Creates a delivery of each event for every subscribed webhook, and the jobs that send them. Deliveries beyond a
 * webhook's window are held. Returns whether some are: then fill the low windows after the commit, because the
 * attempts that end before it do not see them.
 */
export async function createDeliveries(tx: StoreTx, events: UndeliveredEvent[]): Promise<boolean> {
  const webhooks = await existingWebhooks(tx)
  const deliveries = await insertDeliveries(tx, events, webhooks)
  await enqueueFirstAttempts(tx, deliveries, webhooks)
  const tests = events.filter(({ type }) => type === webhookTest.type)
  if (tests.length > 0) await enqueueTests(tx, tests)
  return deliveries.some(({ jobId }) => jobId === null)
}

/**
 * Enqueues the attempts of tests, for which `sendTest` created the deliveries. A webhook may have been deleted since:
 * the attempt fails the delivery then, and the request that waits for it ends.
 */
async function enqueueTests(tx: StoreTx, tests: UndeliveredEvent[]): Promise<void> {
  const eventIds = tests.map(({ id }) => id)
  const deliveries = await WebhookDelivery.in(tx)
    .where('status', 'pending')
    .whereNotNull('job_id')
    .whereIn('event_id', eventIds)
  const webhooks = await Webhook.in(tx).findByIds(deliveries.map(({ webhookId }) => webhookId))
  await enqueueFirstAttempts(tx, deliveries, webhooks)
}

function enqueueFirstAttempts(
  tx: StoreTx,
  deliveries: WebhookDelivery[],
  webhooks: Webhook[],
): Promise<void> {
  const webhookOf = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
  const attempts = deliveries.flatMap(({ id, jobId, webhookId }) => {
    const webhook = webhookOf.get(webhookId)
    return webhook && jobId ? [{ delivery: { id, jobId }, webhook }] : []
  })
  return enqueueAttempts(tx, attempts)
}

async function insertDeliveries(
  tx: StoreTx,
  events: UndeliveredEvent[],
  webhooks: Webhook[],
): Promise<WebhookDelivery[]> {
  const rows = events.flatMap((event) =>
    webhooks
      .filter((webhook) => webhook.isActive && subscribesTo(webhook, event.type))
      .map((webhook) => newDelivery(event, webhook.id)),
  )
  if (rows.length === 0) return []
  const rooms = await findRooms(tx, [...new Set(rows.map(({ webhookId }) => webhookId))])
  return WebhookDelivery.in(tx).insert(rows.map((row) => holdWithoutRoom(row, rooms)))
}

// A held delivery that is due goes before new ones.
const FIND_ROOMS = namedStatement(
  'find_rooms_of_webhook_windows',
  { webhookIds: 'uuid[]', at: 'timestamptz' },
  ({ webhookIds, at }) => `
    select w.id, (case when ${hasHeldSql('w.id', at)} then 0
      else ${WINDOW} - ${countDueSql('w.id', at)} end)::integer as room
    from webhooks w where w.store_id = ${CURRENT_STORE} and w.id = any(${webhookIds})`,
)

/** Returns the number of deliveries that each webhook's window has room for. */
async function findRooms(tx: StoreTx, webhookIds: string[]): Promise<Map<string, number>> {
  const values = FIND_ROOMS.values({ webhookIds, at: now() })
  const rooms = await tx.prepared<{ id: string; room: number }>(FIND_ROOMS, values)
  return new Map(rooms.map(({ id, room }) => [id, room]))
}

/** Takes a place in the window of a delivery's webhook, or holds the delivery if there is none. */
function holdWithoutRoom(row: ReturnType<typeof newDelivery>, rooms: Map<string, number>) {
  const room = rooms.get(row.webhookId) ?? 0
  rooms.set(row.webhookId, room - 1)
  return room > 0 ? row : { ...row, jobId: null }
}
