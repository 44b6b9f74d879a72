import { lockName } from '#shared/platform/db/lock-name.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findPrimaryDomain } from './store-domain.ts'

/**
 * Reports another primary domain to the store's owner: mails link to its pages with tokens. Null means none. Stores may
 * not import staff, so the caller of a change passes this in.
 */
export type ReportDomain = (tx: StoreTx, before: string | null, after: string | null) => Promise<void>

/** Makes a change of the store's domains, and reports it if the store has another primary domain afterwards. */
export async function reportDomainChange<T>(
  tx: StoreTx,
  report: ReportDomain,
  change: () => Promise<T>,
): Promise<T> {
  // Two changes at once could each report a domain that is not the primary one after both.
  await lockName(tx.knex, `primary domain ${tx.storeId}`)
  const before = await findPrimaryDomain(tx)
  const changed = await change()
  const after = await findPrimaryDomain(tx)
  if (before !== after) await report(tx, before, after)
  return changed
}
