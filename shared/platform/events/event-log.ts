import { readInStore } from '../db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '../db/statement.ts'
import type { StoreTx } from '../db/store-scope.ts'
import { now } from '../time/clock.ts'

/** An event with its number in the store's sequence. */
export interface PublishedEvent {
  id: string
  type: string
  data: unknown
  /** From 1, without gaps, in the order of publication. */
  sequence: bigint
  createdAt: Date
}

const HAS_UNPUBLISHED: Statement = {
  name: 'has_unpublished_events',
  text: `select 1 from events
         where store_id = ${CURRENT_STORE} and sequence is null limit 1`,
}

/** Whether a store has events to publish: one round trip, before a transaction is opened. */
export const hasUnpublishedEvents = async (storeId: string): Promise<boolean> =>
  (await readInStore(storeId, HAS_UNPUBLISHED, [])).length > 0

// Two hundred events of a mebibyte each would end a worker by its memory, and the next one too.
const MAX_INLINE_BYTES = 16 * 1024

const PUBLISH: Statement = {
  name: 'publish_events',
  text: `
    with next as (
      select id, $2::bigint + row_number() over (order by position) as sequence
      from (select id, position from events
            where store_id = $1 and sequence is null order by position limit $3) unpublished
    ), published as (
      update events e set sequence = next.sequence, published_at = $4
      from next where e.store_id = $1 and e.id = next.id
      returning e.id, e.type, e.sequence, e.created_at,
        case when e.type = any ($5::text[]) then
          case when octet_length(e.data::text) <= ${MAX_INLINE_BYTES} then e.data end
        end as data
    ), counted as (
      update event_sequences set last = last + (select count(*) from published) where store_id = $1
    )
    select * from published order by sequence`,
}

/**
 * Publishes up to `limit` of a store's events: numbers them in the order in which they were written. Publishers of one
 * store wait for its counter's lock here. `emit` does not lock the counter, so no other transaction waits. `data` comes
 * with small events of the types `withData`; else it is null.
 */
export async function publishNextEvents(
  tx: StoreTx,
  limit: number,
  withData: readonly string[] = [],
): Promise<PublishedEvent[]> {
  const last = await lockCounter(tx)
  const values = [tx.storeId, String(last), limit, now(), withData]
  const rows = await tx.prepared<EventRow>(PUBLISH, values)
  return rows.map(toEvent)
}

/** Locks and reads the store's counter, which the first event creates. */
async function lockCounter(tx: StoreTx): Promise<bigint> {
  const { rows } = await tx.knex.raw<{ rows: [{ last: bigint }] }>(
    `insert into event_sequences as s (store_id, last) values (?, 0)
     on conflict (store_id) do update set last = s.last returning last`,
    [tx.storeId],
  )
  return rows[0].last
}

/** An event of the store. */
export async function findEvent(tx: StoreTx, eventId: string): Promise<PublishedEvent | undefined> {
  const [row] = await tx
    .knex<EventRow>('events')
    .where('store_id', tx.storeId)
    .where('id', eventId)
    .select('id', 'type', 'data', 'sequence', 'created_at')
  return row && toEvent(row)
}

/** A store's published events of these types with a sequence above `after`, oldest first. */
export async function listEvents(
  tx: StoreTx,
  { types, after, limit }: { types: readonly string[]; after: bigint; limit: number },
): Promise<PublishedEvent[]> {
  const rows = await tx
    .knex<EventRow>('events')
    .where('store_id', tx.storeId)
    .where('sequence', '>', String(after))
    .whereIn('type', [...types])
    .orderBy('sequence')
    .limit(limit)
    .select('id', 'type', 'data', 'sequence', 'created_at')
  return rows.map(toEvent)
}

interface EventRow {
  id: string
  type: string
  data: unknown
  sequence: bigint
  created_at: Date
}

const toEvent = ({ created_at, ...row }: EventRow): PublishedEvent => ({ ...row, createdAt: created_at })
