import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { Affiliate } from './affiliate.ts'
import { AFFILIATE_STATUSES } from './states.ts'

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
  filters: {
    status: Type.Optional(Type.Enum([...AFFILIATE_STATUSES])),
    customer_id: Type.Optional(Uuid),
  },
})

export type AffiliateFilter = FilterOf<typeof AFFILIATES>

/** Returns one page of the matching affiliates and their number. */
export function listAffiliates(tx: StoreTx, { status, customer_id, ...filter }: AffiliateFilter) {
  const query = Affiliate.in(tx).whereNull('deleted_at')
  if (status) query.where('status', status)
  if (customer_id) query.where('customer_id', customer_id)
  return AFFILIATES.page(query, filter)
}
