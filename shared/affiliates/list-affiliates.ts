import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Affiliate, findAffiliate } from './affiliate.ts'
import { CommissionEntry } from './commission-entry.ts'
import type { AffiliateStatus, CommissionEntryKind } from './states.ts'

export const AFFILIATES = new List({
  sorts: {
    created_at: 'created_at',
    updated_at: 'updated_at',
    code: 'lower(code)',
    balance: 'balance_minor',
  },
  order: '-created_at',
  searches: 'Part of a code, a company or a website',
  text: ['code', 'company', 'website'],
})

export interface AffiliateFilter extends ListFilter {
  status?: AffiliateStatus
  customer_id?: string
}

/** One page of the matching affiliates and their number. */
export function listAffiliates(tx: StoreTx, { status, customer_id, ...filter }: AffiliateFilter) {
  const query = Affiliate.in(tx).whereNull('deleted_at')
  if (status) query.where('status', status)
  if (customer_id) query.where('customer_id', customer_id)
  return AFFILIATES.page(query, filter)
}

// Entries have an index by id, and ids sort by time.
export const COMMISSION_ENTRIES = new List({
  sorts: { created_at: [], amount: 'amount_minor' },
  order: '-created_at',
  searches: 'Part of the id of the order or of the reference of a payout',
  text: ['order_id::text', 'reference'],
})

/** One page of the ledger of an affiliate, by default newest first. Throws `resource.not_found`. */
export async function listEntries(
  tx: StoreTx,
  affiliateId: string,
  { kind, ...filter }: ListFilter & { kind?: CommissionEntryKind },
) {
  const { id } = await findAffiliate(tx, affiliateId)
  const query = CommissionEntry.in(tx).where('affiliate_id', id)
  if (kind) query.where('kind', kind)
  return COMMISSION_ENTRIES.page(query, filter)
}

/** The newest entries of an affiliate's ledger. */
export const findLatestEntries = (
  tx: StoreTx,
  affiliateId: string,
  count: number,
): PromiseLike<CommissionEntry[]> =>
  CommissionEntry.in(tx).where('affiliate_id', affiliateId).orderBy('number', 'desc').limit(count)
