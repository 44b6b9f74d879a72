import '#test/support/database.ts'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, type TestContext } from 'node:test'
import { Type } from 'typebox'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { defineEvent, emit } from '#shared/platform/events/events.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { checkPublicUrl } from '#shared/webhooks/check-webhook-url.ts'
import { createWebhook, type NewWebhook } from '#shared/webhooks/create-webhook.ts'
import { listDeliveries } from '#shared/webhooks/deliveries/list-deliveries.ts'
import type { Webhook } from '#shared/webhooks/webhook.ts'
import { type Receiver, startReceiver } from '#test/sandbox/receiver.ts'

/** An event type of no domain, for tests of delivery in general. */
export const parcelMoved = defineEvent(
  'parcel.moved',
  'system',
  'A parcel moved',
  Type.Object({ step: Type.Integer() }),
)

/** A receiver of webhooks in this process, until the tests end. */
export async function buildReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  after(() => receiver.stop())
  return receiver
}

/** A receiver that accepts requests and never answers. */
export async function buildSilentReceiver(t: TestContext) {
  let count = 0
  const arrivals = new EventEmitter()
  const server = createServer(() => {
    count += 1
    arrivals.emit('request')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => count,
    async waitFor(wanted: number) {
      while (count < wanted) await once(arrivals, 'request')
    },
  }
}

/** A webhook with its secret. Default: subscribed to all events of `parcelMoved`. */
export async function buildWebhook(
  store: { id: string },
  given: Partial<Omit<NewWebhook, 'url'>> & { url: string },
): Promise<{ webhook: Webhook; secret: string }> {
  const url = await checkPublicUrl(given.url)
  return inStore(store.id, (tx) => createWebhook(tx, null, { events: ['parcel.*'], ...given, url }))
}

/** Emits an event in a store. Returns the event's id. */
export const moveParcel = (store: { id: string }, step = 1): Promise<string> =>
  inStore(store.id, (tx) => emit(tx, parcelMoved, { step }))

/** A webhook's deliveries, newest first. */
export const deliveriesOf = async (store: { id: string }, webhook: { id: string }) =>
  (
    await inStore(store.id, (tx) =>
      listDeliveries(tx, webhook.id, { page: 1, page_size: 100 }, { rights: RIGHTS }),
    )
  ).results

/** The store's events in order: each one's number and payload. */
export async function sequenceOf(store: { id: string }): Promise<{ sequence: bigint; step: number }[]> {
  return inStore(store.id, async (tx) => {
    const rows = await tx
      .knex('events')
      .where({ store_id: tx.storeId, type: parcelMoved.type })
      .whereNotNull('sequence')
      .orderBy('sequence')
      .select('sequence', db().raw("(data->>'step')::integer as step"))
    return rows
  })
}
