import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'

/** A session that ended still says for a while which devices an account is known to use. */
export const SESSION_KEPT_MS = 90 * DAY_MS
const EVENT_KEPT_MS = 90 * DAY_MS
const LINK_KEPT_MS = DAY_MS
const MOST = 5_000

/** Deletes a store's sessions that ended 90 days ago, at most 5,000. Returns whether there may be more. */
export const purgeSessions = (tx: StoreTx): Promise<boolean> =>
  purge(tx, 'sessions', 'least(closed_at, expires_at)', SESSION_KEPT_MS)

/** Deletes what befell a store's accounts 90 days ago, at most 5,000. Returns whether there may be more. */
export const purgeSecurityEvents = (tx: StoreTx): Promise<boolean> =>
  purge(tx, 'security_events', 'created_at', EVENT_KEPT_MS)

/** Deletes a store's mailed links that expired a day ago, with the addresses in them, at most 5,000. Returns the same. */
export const purgeLinks = (tx: StoreTx): Promise<boolean> =>
  purge(tx, 'account_links', 'expires_at', LINK_KEPT_MS)

async function purge(tx: StoreTx, table: string, endedAt: string, keptMs: number): Promise<boolean> {
  const { rowCount } = await tx.knex.raw<{ rowCount: number }>(
    `delete from ${table} where ctid = any (array(
       select ctid from ${table} where store_id = ? and ${endedAt} < ? limit ?))
     and store_id = ?`,
    [tx.storeId, inMs(-keptMs), MOST, tx.storeId],
  )
  return rowCount === MOST
}
