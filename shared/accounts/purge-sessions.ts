import { DAY_MS, inMs } from '../platform/clock.ts'
import type { StoreTx } from '../platform/store-scope.ts'

/** A session that ended still says for a while which devices an account is known to use. */
export const KEPT_MS = 90 * DAY_MS
const MOST = 5_000

/** Deletes a store's sessions that ended 90 days ago, at most 5,000. Returns whether there may be more. */
export const purgeEnded = (tx: StoreTx): Promise<boolean> =>
  purge(tx, 'sessions', 'least(closed_at, expires_at)')

/** Deletes what befell a store's accounts 90 days ago, at most 5,000. Returns whether there may be more. */
export const purgeSecurityEvents = (tx: StoreTx): Promise<boolean> =>
  purge(tx, 'security_events', 'created_at')

async function purge(tx: StoreTx, table: string, endedAt: string): Promise<boolean> {
  const { rowCount } = await tx.knex.raw<{ rowCount: number }>(
    `delete from ${table} where ctid = any (array(
       select ctid from ${table} where store_id = ? and ${endedAt} < ? limit ?))
     and store_id = ?`,
    [tx.storeId, inMs(-KEPT_MS), MOST, tx.storeId],
  )
  return rowCount === MOST
}
