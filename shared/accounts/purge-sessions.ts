import { DAY_MS, inMs } from '../platform/clock.ts'
import type { StoreTx } from '../platform/store-scope.ts'

/** A session that ended still says for a while which devices an account is known to use. */
export const KEPT_MS = 90 * DAY_MS
const MOST = 5_000

/** Deletes a store's sessions that ended 90 days ago, at most 5,000. Returns whether there may be more. */
export async function purgeEnded(tx: StoreTx): Promise<boolean> {
  const { rowCount } = await tx.knex.raw<{ rowCount: number }>(
    `delete from sessions where ctid = any (array(
       select ctid from sessions where store_id = ? and least(closed_at, expires_at) < ? limit ?))
     and store_id = ?`,
    [tx.storeId, inMs(-KEPT_MS), MOST, tx.storeId],
  )
  return rowCount === MOST
}
