import { type CartCoupon, presentCoupon } from '#shared/cart/cart-coupon.ts'
import type { TakenLines } from '#shared/cart/take-lines.ts'
import type { Buyer } from '#shared/coupons/buyer.ts'
import { CouponErrors } from '#shared/coupons/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * The coupon that is asked for, else the one on the cart; null without one. Throws `coupon.not_found` for an unknown
 * code; a cart's coupon that was purged meanwhile is on no cart any more.
 */
export async function chooseCoupon(
  tx: StoreTx,
  asked: string | undefined,
  { lines, couponCode }: TakenLines,
  buyer: Buyer,
): Promise<CartCoupon | null> {
  const code = asked ?? couponCode
  const coupon = code === null ? null : await presentCoupon(tx, code, lines, buyer)
  if (asked !== undefined && !coupon) throw CouponErrors.notFound()
  return coupon
}
