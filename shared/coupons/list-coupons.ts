import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import { likePattern } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { foldCase } from '#shared/platform/text.ts'
import { COUPON_TYPES, Coupon } from './coupon.ts'

export const COUPONS = new List({
  sorts: {
    created_at: 'created_at',
    updated_at: 'updated_at',
    code: 'code_folded',
    uses_count: 'uses_count',
  },
  order: '-created_at',
  searches: 'Part of a code or a name',
  filters: {
    type: Type.Optional(Type.Enum([...COUPON_TYPES])),
    is_active: Type.Optional(Type.Boolean()),
  },
})

export type CouponFilter = FilterOf<typeof COUPONS>

/** Returns one page of the matching coupons, deactivated ones included, and their number. */
export function listCoupons(tx: StoreTx, filter: CouponFilter) {
  const { q, type, is_active } = filter
  const query = Coupon.in(tx)
  if (type) query.where('type', type)
  if (is_active !== undefined) query.where('is_active', is_active)
  if (q)
    query.whereRaw('(code_folded like ? or lower(name) like ?)', [
      likePattern(foldCase(q)),
      likePattern(q.trim().toLowerCase()),
    ])
  return COUPONS.page(query, filter)
}
