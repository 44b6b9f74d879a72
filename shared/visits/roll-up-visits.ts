import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { UNKNOWN_SOURCE } from './record-visit.ts'
import { visitDays } from './visit-days.ts'

const BATCH_SIZE = 5_000

/** Counts the visits of a store's past days that are not counted yet. A repeat changes nothing. */
export async function countPastVisits(tx: StoreTx): Promise<void> {
  const { countedBefore } = visitDays((await readStore(tx)).timeZone)
  await tx.knex.raw(
    `insert into campaign_visit_days (store_id, source_id, day, visits)
     select store_id, source_id, day, count(*) from campaign_visits
     where store_id = :store and source_id <> :unknown and day < :before
       and day > coalesce((select max(day) from campaign_visit_days where store_id = :store), '-infinity')
     group by 1, 2, 3
     on conflict do nothing`,
    { store: tx.storeId, unknown: UNKNOWN_SOURCE, before: countedBefore },
  )
}

/**
 * Deletes up to 5,000 visits that are 13 months old and counted, or by unknown codes. Returns whether there may be
 * more.
 */
export async function deleteOldVisits(tx: StoreTx): Promise<boolean> {
  const { countedBefore, keptFrom } = visitDays((await readStore(tx)).timeZone)
  const { rowCount } = await tx.knex.raw<{ rowCount: number }>(
    `delete from campaign_visits where store_id = :store and ctid = any (array(
       select ctid from campaign_visits
       where store_id = :store and (day < :kept or (source_id = :unknown and day < :before))
       limit :batch))`,
    { store: tx.storeId, kept: keptFrom, unknown: UNKNOWN_SOURCE, before: countedBefore, batch: BATCH_SIZE },
  )
  return rowCount === BATCH_SIZE
}
