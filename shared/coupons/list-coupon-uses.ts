import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findCoupon } from './coupon.ts'
import { CouponUse } from './coupon-use.ts'

// Sort by id: a coupon's uses have an index by id, and ids sort by time.
export const COUPON_USES = new List({
  sorts: { created_at: [], discount: 'discount_minor' },
  order: '-created_at',
  searches: 'Part of the id of the order or of the customer',
  text: ['order_id::text', 'customer_id::text'],
})

/**
 * Returns one page of a coupon's uses, by default newest first, released ones included. Throws `resource.not_found`.
 */
export async function listCouponUses(tx: StoreTx, couponId: string, filter: ListFilter) {
  const { id } = await findCoupon(tx, couponId)
  return COUPON_USES.page(CouponUse.in(tx).where('coupon_id', id), filter)
}
