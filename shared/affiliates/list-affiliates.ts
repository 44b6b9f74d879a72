import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Affiliate } from './affiliate.ts'
import type { AffiliateStatus } from './states.ts'

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

/** Returns one page of the matching affiliates and their number. */
export function listAffiliates(tx: StoreTx, { status, customer_id, ...filter }: AffiliateFilter) {
  const query = Affiliate.in(tx).whereNull('deleted_at')
  if (status) query.where('status', status)
  if (customer_id) query.where('customer_id', customer_id)
  return AFFILIATES.page(query, filter)
}
