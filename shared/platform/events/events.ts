import type { TSchema } from 'typebox'
import { newId } from '../db/id.ts'
import type { StoreTx } from '../db/store-scope.ts'
import { defineJob } from '../jobs/define-job.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { now } from '../time/clock.ts'

/** A kind of event: its name and the shape of its `data`, which webhooks send as it is. */
export interface EventKind {
  type: string
  summary: string
  data: TSchema
}

const kinds = new Map<string, EventKind>()

/** Declares a kind of event. */
export function defineEvent(type: string, summary: string, data: TSchema): EventKind {
  if (kinds.has(type)) throw new Error(`The event ${type} is declared twice`)
  const kind = { type, summary, data }
  kinds.set(type, kind)
  return kind
}

/** Every event kind declared by the modules loaded so far, by name. shared/all-events.ts loads them all. */
export const eventKinds = (): ReadonlyMap<string, EventKind> => kinds

/** Gives a store's new events their place in its sequence and hands them to listeners and webhooks. */
export const publishEvents = defineJob(
  'publish-events',
  {},
  { perStore: 2, concurrency: 16, retryDelay: 1, retryDelayMax: 30, expireIn: 30 },
)

/** Records what happened, in the transaction in which it happens. `data` is the view that clients get. */
export async function emit(tx: StoreTx, kind: EventKind, data: object): Promise<string> {
  const [id] = await emitAll(tx, kind, [data])
  return id as string
}

/** Records many things of one kind, in one statement; in this order they are published. Returns the events' ids. */
export async function emitAll(
  tx: StoreTx,
  { type }: EventKind,
  happened: readonly object[],
): Promise<string[]> {
  if (happened.length === 0) return []
  const rows = happened.map((data) => ({
    store_id: tx.storeId,
    id: newId(),
    type,
    data: JSON.stringify(data),
    created_at: now(),
  }))
  await tx.knex('events').insert(rows)
  // One relay job a transaction is enough: it publishes whatever the store has unpublished.
  tx.beforeCommit('publish-events', () => enqueue(tx, publishEvents, {}))
  return rows.map(({ id }) => id)
}
