import { LRUCache } from 'lru-cache'
import { batchLookups } from '#shared/platform/db/batch-lookups.ts'
import { NIL_ID } from '#shared/platform/db/id.ts'
import { executeInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { foldCase } from '#shared/platform/text.ts'
import { dateIn, now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { WINDOW_DAYS } from './attribution-window.ts'
import { MAX_VISITORS_PER_DAY } from './limits.ts'
import { hashVisitor, type Visitor } from './visitor.ts'

/** The source of visits by unknown codes. No campaign and no affiliate has this id. */
export const UNKNOWN_SOURCE = NIL_ID

// A visit is a row of a source (campaign or affiliate), a day and a visitor. Each day of a source has a count of
// visits, so that figures read one row a day. All processes sort the rows and write them before the counts, so that
// their batches cannot deadlock.
const RECORD_VISITS: Statement = {
  name: 'record_campaign_visits',
  text: `
  with clicks as (
    select code, day, decode(visitor, 'hex') as visitor, at
    from jsonb_to_recordset($1::jsonb) as c (code text, day date, visitor text, at timestamptz)),
  -- An unknown code writes a row and a count too, so that its response takes the same time.
  sources as (
    select t.id, coalesce(t.id, '${UNKNOWN_SOURCE}'::uuid) as source_id, day, visitor, at
    from clicks left join tracking_codes t
      on t.store_id = ${CURRENT_STORE} and t.code_folded = code and t.is_active
      and (t.starts_at is null or t.starts_at <= at) and (t.ends_at is null or t.ends_at > at)),
  -- Unknown codes, and new visitors past the maximum of a day, share rows. Concurrent batches do not see each other's
  -- counts, so a code can exceed the maximum by one batch of each process. The look-ups are scalar, because PostgreSQL
  -- may hash the whole table for "exists".
  visits as (
    select source_id, day, max(at) as at, case when id is null or (
        (select d.visits from campaign_visit_days d where d.store_id = ${CURRENT_STORE}
          and d.source_id = s.source_id and d.day = s.day) >= ${MAX_VISITORS_PER_DAY}
        and (select v.day from campaign_visits v where v.store_id = ${CURRENT_STORE}
          and v.visitor = s.visitor and v.source_id = s.source_id and v.day = s.day) is null)
      then substr(visitor, 1, 1) else visitor end as visitor
    from sources s group by source_id, day, 4),
  -- A later click changes the time of the row, because the last click wins an order. An inserted row has no xmax,
  -- unlike an updated one.
  recorded as (
    insert into campaign_visits (store_id, source_id, day, visitor, clicked_at)
    select ${CURRENT_STORE}, source_id, day, visitor, at from visits order by visitor, source_id, day
    on conflict (store_id, visitor, source_id, day) do update set clicked_at = excluded.clicked_at
    where campaign_visits.clicked_at < excluded.clicked_at
    returning source_id, day, visitor, xmax = 0 as is_new),
  -- The previous day of each new visit by a visitor who has a row of their own.
  returned as (
    select source_id, day, (select max(v.day) from campaign_visits v where v.store_id = ${CURRENT_STORE}
      and v.visitor = r.visitor and v.source_id = r.source_id and v.day between r.day - ${WINDOW_DAYS} and r.day - 1
      and octet_length(r.visitor) > 1) as previous_day
    from recorded r where is_new),
  counted_returns as (
    insert into campaign_return_visits (store_id, source_id, day, previous_day, visits)
    select ${CURRENT_STORE}, source_id, day, previous_day, count(*) from returned where previous_day is not null
    group by 2, 3, 4 order by 2, 3, 4
    on conflict (store_id, source_id, day, previous_day)
    do update set visits = campaign_return_visits.visits + excluded.visits)
  insert into campaign_visit_days (store_id, source_id, day, visits)
  select ${CURRENT_STORE}, source_id, day, count(*) filter (where is_new) from recorded
  group by 2, 3 order by 2, 3
  on conflict (store_id, source_id, day) do update set visits = campaign_visit_days.visits + excluded.visits`,
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
 * store, up to a maximum. It is committed when the promise resolves. An unknown or inactive code, or one outside its
 * period, is not counted, and the caller gets the same result.
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
