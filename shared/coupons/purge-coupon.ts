import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Coupon, lockCoupon } from './coupon.ts'
import { CouponUse } from './coupon-use.ts'
import { CouponErrors } from './errors.ts'

/** Deletes a coupon. Throws `coupon.in_use` if an order has used it, even if that use was released. */
export async function purgeCoupon(tx: StoreTx, id: string): Promise<void> {
  // Lock first, to wait for concurrent checkouts and see their uses.
  await lockCoupon(tx, id)
  if (await CouponUse.in(tx).findOne('coupon_id', id)) throw CouponErrors.inUse()
  await Coupon.in(tx).deleteById(id)
}
