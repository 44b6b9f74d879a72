import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import { type IdentityTx, tablesIn } from './principal.ts'

/** Ended sessions are kept this long, because they show which devices an account knows. */
const SESSION_KEPT_MS = 90 * DAY_MS
const EVENT_KEPT_MS = 90 * DAY_MS
const LINK_KEPT_MS = DAY_MS
const MOST = 5_000

/**
 * Deletes at most 5,000 sessions of a store, or of super-admins, that ended over 90 days ago. Returns whether there may
 * be more.
 */
export const purgeSessions = (tx: IdentityTx): Promise<boolean> =>
  purge(tx, tablesIn(tx).sessions, 'least(closed_at, expires_at)', SESSION_KEPT_MS)

/** Deletes at most 5,000 of a store's security events after 90 days. Returns whether there may be more. */
export const purgeSecurityEvents = (tx: StoreTx): Promise<boolean> =>
  purge(tx, 'security_events', 'created_at', EVENT_KEPT_MS)

/** Deletes at most 5,000 of a store's mailed links a day after they expired. Returns whether there may be more. */
export const purgeLinks = (tx: StoreTx): Promise<boolean> =>
  purge(tx, 'account_links', 'expires_at', LINK_KEPT_MS)

async function purge(
  { knex, storeId }: IdentityTx,
  table: string,
  endedAt: string,
  keptMs: number,
): Promise<boolean> {
  const owned = storeId ? { sql: 'store_id = ?', values: [storeId] } : { sql: 'true', values: [] }
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `delete from ${table} where ctid = any (array(
       select ctid from ${table} where ${owned.sql} and ${endedAt} < ? limit ?))
     and ${owned.sql}`,
    [...owned.values, inMs(-keptMs), MOST, ...owned.values],
  )
  return rowCount === MOST
}
