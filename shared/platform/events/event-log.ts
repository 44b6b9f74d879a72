import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, namedStatement, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** An event with its number in the store's sequence. */
export interface PublishedEvent<Data = unknown> {
  id: string
  type: string
  data: Data
  /** The position in the sequence of publication, from 1 without gaps. */
  sequence: bigint
  createdAt: Date
}

const HAS_UNPUBLISHED: Statement = {
  name: 'has_unpublished_events',
  text: `select 1 from events
         where store_id = ${CURRENT_STORE} and sequence is null limit 1`,
}

/** Whether a store has events to publish. It takes one round trip and no transaction. */
export const hasUnpublishedEvents = async (storeId: string): Promise<boolean> =>
  (await readInStore(storeId, HAS_UNPUBLISHED, [])).length > 0

// Larger data is not read with its event: two hundred events of 1 MiB would exhaust a worker's memory.
const MAX_INLINE_BYTES = 16 * 1024

const PUBLISH = namedStatement(
  'publish_events',
  { storeId: 'uuid', last: 'bigint', limit: 'bigint', at: 'timestamptz', withData: 'text[]' },
  ({ storeId, last, limit, at, withData }) => `
    with next as (
      select id, ${last} + row_number() over (order by position) as sequence
      from (select id, position from events
            where store_id = ${storeId} and sequence is null order by position limit ${limit}) unpublished
    ), published as (
      update events e set sequence = next.sequence, published_at = ${at}
      from next where e.store_id = ${storeId} and e.id = next.id
      returning e.id, e.type, e.sequence, e.created_at,
        case when e.type = any (${withData}) then
          case when octet_length(e.data::text) <= ${MAX_INLINE_BYTES} then e.data end
        end as data
    ), counted as (
      update event_sequences set last = last + (select count(*) from published) where store_id = ${storeId}
    )
    select * from published order by sequence`,
)

/**
 * Publishes up to `limit` of a store's events: numbers them in the sequence in which they were written. Publishers of
 * one store wait here for the lock of its counter. `emit` does not lock the counter, so no other transaction waits.
 * Small events of the types `withData` have their `data`; for all others it is null.
 */
export async function publishNextEvents(
  tx: StoreTx,
  limit: number,
  withData: readonly string[] = [],
): Promise<PublishedEvent[]> {
  const last = await lockCounter(tx)
  const { storeId } = tx
  const values = PUBLISH.values({ storeId, last: String(last), limit, at: now(), withData })
  const rows = await tx.prepared<EventRow>(PUBLISH, values)
  return rows.map(toEvent)
}

/** Locks and reads the store's counter. The first event creates it. */
async function lockCounter(tx: StoreTx): Promise<bigint> {
  const { rows } = await tx.knex.raw<{ rows: [{ last: bigint }] }>(
    `insert into event_sequences as s (store_id, last) values (?, 0)
     on conflict (store_id) do update set last = s.last returning last`,
    [tx.storeId],
  )
  return rows[0].last
}

/** Returns an event of the store. */
export async function findEvent(tx: StoreTx, eventId: string): Promise<PublishedEvent | undefined> {
  const [row] = await tx
    .knex<EventRow>('events')
    .where('store_id', tx.storeId)
    .where('id', eventId)
    .select('id', 'type', 'data', 'sequence', 'created_at')
  return row && toEvent(row)
}

/** A row of an event, as queries of this folder read it. */
export interface EventRow {
  id: string
  type: string
  data: unknown
  sequence: bigint
  created_at: Date
}

/** Returns the event of a row. */
export const toEvent = ({ created_at, ...row }: EventRow): PublishedEvent => ({
  ...row,
  createdAt: created_at,
})
