import { LRUCache } from 'lru-cache'
import { batchLookups } from '#shared/platform/db/batch-lookups.ts'
import { NIL_ID } from '#shared/platform/db/id.ts'
import { executeInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { foldCase } from '#shared/platform/text.ts'
import { dateIn, now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { hashVisitor, type Visitor } from './visitor.ts'

/** The source of visits by unknown codes. No campaign and no affiliate has this id. */
export const UNKNOWN_SOURCE = NIL_ID

// A later click of the same visitor, code and day changes the time of the row, because the last click wins an order. An
// unknown code writes a row too, so that it takes the same time. Unknown codes share 256 rows a day, so that nobody can
// fill the table. Rows are sorted, so that batches in several processes cannot deadlock.
const RECORD_VISITS: Statement = {
  name: 'record_campaign_visits',
  text: `
  with clicks as (
    select code, day, decode(visitor, 'hex') as visitor, at
    from jsonb_to_recordset($1::jsonb) as c (code text, day date, visitor text, at timestamptz)),
  visits as (
    select coalesce(t.id, '${UNKNOWN_SOURCE}'::uuid) as source_id, day,
      case when t.id is null then substr(visitor, 1, 1) else visitor end as visitor, max(at) as at
    from clicks left join tracking_codes t
      on t.store_id = ${CURRENT_STORE} and t.code_folded = code and t.is_active
      and (t.starts_at is null or t.starts_at <= at) and (t.ends_at is null or t.ends_at > at)
    group by 1, 2, 3)
  insert into campaign_visits (store_id, source_id, day, visitor, clicked_at)
  select ${CURRENT_STORE}, source_id, day, visitor, at from visits order by source_id, day, visitor
  on conflict (store_id, source_id, day, visitor) do update set clicked_at = excluded.clicked_at
  where campaign_visits.clicked_at < excluded.clicked_at`,
}

/** Joins concurrent clicks in a store into one statement and one commit. A lone click does not wait. */
const batchClicks = (storeId: string) =>
  batchLookups<boolean>(async (clicks) => {
    await executeInStore(storeId, RECORD_VISITS, [`[${clicks.join()}]`])
    return new Map(clicks.map((click) => [click, true]))
  })

const MAX_STORES = 10_000
const batches = new LRUCache<string, ReturnType<typeof batchClicks>>({ max: MAX_STORES })

/**
 * Records a click on a link with a code in one round trip. There is one row for each code, visitor and day of the
 * store. It is committed when the promise resolves. An unknown or inactive code, or one outside its period, is not
 * counted, and the caller gets the same result.
 */
export async function recordVisit(
  { id: storeId, timeZone }: Pick<Store, 'id' | 'timeZone'>,
  code: string,
  visitor: Visitor,
): Promise<void> {
  const at = now()
  const day = dateIn(timeZone, at)
  const hash = await hashVisitor(storeId, visitor, day)
  const batch = batches.get(storeId) ?? batchClicks(storeId)
  batches.set(storeId, batch)
  await batch(JSON.stringify({ code: foldCase(code), day, visitor: hash.toString('hex'), at }))
}
