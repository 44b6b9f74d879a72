import {
  type CreatedAtFilter,
  filterByCreatedAt,
  likePattern,
  type Paged,
  sortOrder,
} from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { foldCase } from '#shared/platform/text.ts'
import { Coupon, type CouponType, findCoupon } from './coupon.ts'
import { CouponUse } from './coupon-use.ts'

export const COUPON_SORTS = [
  '-created_at',
  'created_at',
  'code',
  '-code',
  'uses_count',
  '-uses_count',
] as const
export type CouponSort = (typeof COUPON_SORTS)[number]

export interface CouponFilter extends Paged, CreatedAtFilter {
  /** Part of a code or a name. */
  q?: string
  type?: CouponType
  is_active?: boolean
  sort: CouponSort
}

const COLUMNS: Record<string, string> = {
  created_at: 'created_at',
  code: 'code_folded',
  uses_count: 'uses_count',
}

/** One page of the matching coupons, deactivated ones included, and their number. */
export function listCoupons(tx: StoreTx, filter: CouponFilter) {
  const { q, type, is_active, page, page_size } = filter
  const query = Coupon.in(tx)
  if (type) query.where('type', type)
  if (is_active !== undefined) query.where('is_active', is_active)
  filterByCreatedAt(query, filter)
  if (q)
    query.whereRaw('(code_folded like ? or lower(name) like ?)', [
      likePattern(foldCase(q)),
      likePattern(q.trim().toLowerCase()),
    ])
  const { by, direction } = sortOrder(filter.sort)
  return query
    .orderBy(COLUMNS[by] ?? 'created_at', direction)
    .orderBy('id', direction)
    .page(page - 1, page_size)
}

/** One page of a coupon's uses, newest first, released ones included. Throws `resource.not_found`. */
export async function listCouponUses(tx: StoreTx, couponId: string, { page, page_size }: Paged) {
  const { id } = await findCoupon(tx, couponId)
  return CouponUse.in(tx)
    .where('coupon_id', id)
    .orderBy('id', 'desc')
    .page(page - 1, page_size)
}
