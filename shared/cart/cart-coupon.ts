import { type AppliedCoupon, applyCoupon, type CouponCandidate } from '#shared/coupons/apply-coupon.ts'
import { type CouponBuyer, findCouponByCode } from '#shared/coupons/find-coupon-by-code.ts'
import type { ReadScope } from '#shared/platform/db/query-json.ts'
import type { CartLine } from './cart-line.ts'

/** A coupon of a cart, before it is applied to the lines. */
export interface EnteredCoupon {
  rules: CouponCandidate
  /** The signed-in buyer; null for a guest. */
  customerId: string | null
}

/** A coupon of a cart, with its current effect on the lines. */
export interface CartCoupon extends AppliedCoupon {
  rules: CouponCandidate
}

/** Finds a coupon by its code, with its rules for the products and the buyer of a cart. Null for an unknown code. */
export async function findCartCoupon(
  within: ReadScope,
  code: string,
  lines: readonly CartLine[],
  buyer: CouponBuyer,
): Promise<EnteredCoupon | null> {
  const productIds = [...new Set(lines.map(({ sellable }) => sellable.productId))]
  const rules = await findCouponByCode(within, code, productIds, buyer)
  return rules && { rules, customerId: buyer.customerId }
}

/** Applies a coupon to the lines of a cart at the lines' prices. */
export function applyToCart({ rules, customerId }: EnteredCoupon, lines: readonly CartLine[]): CartCoupon {
  const goods = lines.map(({ sellable: { productId, isSellable }, lineTotalMinor }) => ({
    productId,
    isSellable,
    lineTotalMinor,
  }))
  return { rules, ...applyCoupon(rules, goods, customerId) }
}
