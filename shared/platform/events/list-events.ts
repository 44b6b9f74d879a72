import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type EventRow, type PublishedEvent, toEvent } from './event-log.ts'

// Each type is read by an index. A filter of the sequence by types would read all events to find rare ones.
const LIST = `select e.id, e.type, e.data, e.sequence, e.created_at
  from (
    select next.sequence from unnest(?::text[]) wanted (type)
    cross join lateral (
      select of_type.sequence from events of_type
      where of_type.store_id = ${CURRENT_STORE} and of_type.type = wanted.type and of_type.sequence > ?::bigint
      order by of_type.sequence limit ?) next
    order by next.sequence limit ?) page
  join events e on e.store_id = ${CURRENT_STORE} and e.sequence = page.sequence
  order by e.sequence`

/** Returns a store's published events of these types with a sequence above `after`, oldest first. */
export async function listEvents(
  tx: StoreTx,
  { types, after, limit }: { types: readonly string[]; after: bigint; limit: number },
): Promise<PublishedEvent[]> {
  const { rows } = await tx.knex.raw<{ rows: EventRow[] }>(LIST, [[...types], String(after), limit, limit])
  return rows.map(toEvent)
}
