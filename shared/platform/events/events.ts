import type { Static, TSchema } from 'typebox'
import { isUuid, newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'

/** An area of the admin API. Only callers who may read it get the events of its resources. */
export type EventArea = 'catalog' | 'sales' | 'customers' | 'content' | 'marketing' | 'system'

/** A kind of event: its name and the schema of its `data`. */
export interface EventKind<Data extends TSchema = TSchema> {
  type: string
  area: EventArea
  summary: string
  data: Data
}

const kinds = new Map<string, EventKind>()

/** Declares a kind of event. */
export function defineEvent<Data extends TSchema>(
  type: string,
  area: EventArea,
  summary: string,
  data: Data,
): EventKind<Data> {
  if (kinds.has(type)) throw new Error(`The event ${type} is declared twice`)
  const kind = { type, area, summary, data }
  kinds.set(type, kind)
  return kind
}

/** Returns the kinds of events of all loaded modules by name. shared/all-events.ts loads all modules with events. */
export const eventKinds = (): ReadonlyMap<string, EventKind> => kinds

/** The job that numbers a store's new events and passes them to listeners and webhooks. */
export const publishEvents = defineJob(
  'publish-events',
  {},
  { perStore: 2, concurrency: 16, retryDelaySeconds: 1, retryDelayMaxSeconds: 30, expireInSeconds: 30 },
)

/*
 * What an event stores besides its data, measured with indexes. Each receiver adds a delivery, its job, and one attempt
 * with an excerpt of the response, so an event of a few bytes can store 50 KB.
 */
const EVENT_BYTES = 500
const RECEIVER_BYTES = 2_400

/** Inserts an event in the transaction of its change. `data` is what clients get. */
export async function emit<Data extends TSchema>(
  tx: StoreTx,
  kind: EventKind<Data>,
  data: Static<Data>,
): Promise<string> {
  const [id] = await emitAll(tx, kind, [data])
  return id as string
}

/** Returns the id of the resource that the event is about. */
function subjectOf(data: unknown): string | null {
  const { id } = data as { id?: unknown }
  return typeof id === 'string' && isUuid(id) ? id : null
}

const INSERT_EVENTS: Statement = {
  name: 'insert_events',
  text: `
    insert into events (store_id, id, type, subject_id, data, created_at)
    select ${CURRENT_STORE}, id, $1, subject_id, data, $2
    from unnest($3::uuid[], $4::uuid[], $5::jsonb[]) as new_events (id, subject_id, data)
    returning (select count_receivers($1)) as receivers`,
}

/** Inserts many events of one kind in one statement. They are published in this sequence. Returns their ids. */
export async function emitAll<Data extends TSchema>(
  tx: StoreTx,
  { type }: EventKind<Data>,
  items: readonly Static<Data>[],
): Promise<string[]> {
  if (items.length === 0) return []
  const ids = items.map(newId)
  const data = items.map((item) => JSON.stringify(item))
  const values = [type, now(), ids, items.map(subjectOf), data]
  const [counted] = await tx.prepared<{ receivers: number }>(INSERT_EVENTS, values)
  const bytesBeside = EVENT_BYTES + (counted?.receivers ?? 0) * RECEIVER_BYTES
  for (const text of data) tx.noteStored(Buffer.byteLength(text) + bytesBeside)
  // One job for a transaction is enough, because it publishes all unpublished events of the store.
  tx.beforeCommit('publish-events', () => enqueue(tx, publishEvents, {}))
  return ids
}
