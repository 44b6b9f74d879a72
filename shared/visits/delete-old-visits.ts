import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { keptFrom } from './attribution-window.ts'

const BATCH_SIZE = 5_000

/** Deletes up to 5,000 visits past the attribution window. Their counts stay. Returns whether there may be more. */
export async function deleteOldVisits(tx: StoreTx): Promise<boolean> {
  const { timeZone } = await readStore(tx)
  const { rowCount } = await tx.knex.raw<{ rowCount: number }>(
    `delete from campaign_visits where store_id = :store and ctid = any (array(
       select ctid from campaign_visits where store_id = :store and day < :kept limit :batch))`,
    { store: tx.storeId, kept: keptFrom(timeZone), batch: BATCH_SIZE },
  )
  return rowCount === BATCH_SIZE
}
