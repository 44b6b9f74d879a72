import type { Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Affiliate } from './affiliate.ts'
import { readBalances } from './balance.ts'
import { openPayout } from './payout.ts'
import type { AffiliateRecord } from './view.ts'

interface Visibility {
  /** The caller may see the payout details. */
  seesPayout: boolean
}

/** Adds balances to affiliates, with one query, and their payout details for those who may see them. */
export async function loadRecords(
  tx: StoreTx,
  affiliates: Affiliate[],
  { seesPayout }: Visibility,
): Promise<AffiliateRecord[]> {
  const ids = affiliates.map(({ id }) => id)
  const balanceOf = await readBalances(tx, ids)
  return affiliates.map((affiliate) => ({
    affiliate,
    balance: balanceOf(affiliate.id),
    payout: seesPayout ? openPayout(affiliate) : undefined,
  }))
}

/** Adds the balance to one affiliate, and the payout details for those who may see them. */
export async function loadRecord(
  tx: StoreTx,
  affiliate: Affiliate,
  visibility: Visibility,
): Promise<AffiliateRecord> {
  const [record] = await loadRecords(tx, [affiliate], visibility)
  return record as AffiliateRecord
}

/** Adds balances to a page of affiliates, and payout details for those who may see them. */
export const loadPage = async (
  tx: StoreTx,
  { results, total }: Page<Affiliate>,
  visibility: Visibility,
): Promise<Page<AffiliateRecord>> => ({ results: await loadRecords(tx, results, visibility), total })
