import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Coupon, lockCoupon } from './coupon.ts'

/** Deactivates a coupon. It keeps its code and its uses, and can be activated again. */
export async function deactivateCoupon(tx: StoreTx, id: string): Promise<void> {
  const coupon = await lockCoupon(tx, id)
  if (coupon.isActive)
    await Coupon.in(tx)
      .findById(id)
      .patch({ isActive: false, updatedAt: nextUpdatedAt(coupon) })
}
