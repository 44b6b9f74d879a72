import type { Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Affiliate } from './affiliate.ts'
import { readBalances } from './balance.ts'
import { openPayout } from './payout.ts'
import type { AffiliateRecord } from './view.ts'

interface Sight {
  /** The caller may see the payout details. */
  seesPayout: boolean
}

/** Adds balances to affiliates, with one query, and their payout details for those who may see them. */
export async function loadRecords(
  tx: StoreTx,
  affiliates: Affiliate[],
  { seesPayout }: Sight,
): Promise<AffiliateRecord[]> {
  const ids = affiliates.map(({ id }) => id)
  const balanceOf = await readBalances(tx, ids)
  return affiliates.map((affiliate) => ({
    affiliate,
    balance: balanceOf(affiliate.id),
    payout: seesPayout ? openPayout(affiliate) : undefined,
  }))
}

/** As `loadRecords`, of one affiliate. */
export async function loadRecord(tx: StoreTx, affiliate: Affiliate, sight: Sight): Promise<AffiliateRecord> {
  const [record] = await loadRecords(tx, [affiliate], sight)
  return record as AffiliateRecord
}

/** As `loadRecords`, of a page of a list. */
export const loadPage = async (
  tx: StoreTx,
  { results, total }: Page<Affiliate>,
  sight: Sight,
): Promise<Page<AffiliateRecord>> => ({ results: await loadRecords(tx, results, sight), total })
