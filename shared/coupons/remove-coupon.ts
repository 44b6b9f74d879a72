import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { Coupon } from './coupon.ts'
import { CouponUse } from './coupon-use.ts'
import { CouponErrors } from './errors.ts'
import { lockCoupon } from './find-coupon.ts'

/** Deactivates a coupon: it stays on record, with its code and its uses, and may be activated again. */
export async function deactivateCoupon(tx: StoreTx, id: string): Promise<void> {
  const coupon = await lockCoupon(tx, id)
  if (coupon.isActive)
    await Coupon.in(tx)
      .findById(id)
      .patch({ isActive: false, updatedAt: nextUpdatedAt(coupon) })
}

/** Really deletes a coupon that no order ever used, not even one that gave it back. Else throws `coupon.in_use`. */
export async function purgeCoupon(tx: StoreTx, id: string): Promise<void> {
  // Lock first: a checkout that is taking it has its row, and its use is seen once it has committed.
  await lockCoupon(tx, id)
  if (await CouponUse.in(tx).findOne('coupon_id', id)) throw CouponErrors.inUse()
  await Coupon.in(tx).deleteById(id)
}
