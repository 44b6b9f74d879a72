import type { Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Affiliate } from './affiliate.ts'
import { openPayoutDetails } from './payout-details.ts'
import { readBalances } from './read-balances.ts'
import type { AffiliateRecord } from './view.ts'

interface Visibility {
  /** Whether the caller may see the payout details. */
  seesPayoutDetails: boolean
}

/** Adds balances to affiliates with one query, and payout details if `seesPayoutDetails`. */
export async function loadAffiliateRecords(
  tx: StoreTx,
  affiliates: Affiliate[],
  { seesPayoutDetails }: Visibility,
): Promise<AffiliateRecord[]> {
  const ids = affiliates.map(({ id }) => id)
  const balanceOf = await readBalances(tx, ids)
  return affiliates.map((affiliate) => ({
    affiliate,
    balance: balanceOf(affiliate.id),
    payout: seesPayoutDetails ? openPayoutDetails(affiliate) : undefined,
  }))
}

/** Adds the balance to one affiliate, and the payout details if `seesPayoutDetails`. */
export async function loadAffiliateRecord(
  tx: StoreTx,
  affiliate: Affiliate,
  visibility: Visibility,
): Promise<AffiliateRecord> {
  const [record] = await loadAffiliateRecords(tx, [affiliate], visibility)
  return record as AffiliateRecord
}

/** Adds balances to a page of affiliates, and payout details if `seesPayoutDetails`. */
export const loadAffiliatePage = async (
  tx: StoreTx,
  { results, total }: Page<Affiliate>,
  visibility: Visibility,
): Promise<Page<AffiliateRecord>> => ({ results: await loadAffiliateRecords(tx, results, visibility), total })
