import { type AppliedCoupon, applyCoupon, type CouponCandidate } from '#shared/coupons/apply-coupon.ts'
import { type Buyer, findCouponByCode } from '#shared/coupons/find-coupon-by-code.ts'
import type { ReadScope } from '#shared/platform/db/json-query.ts'
import type { CartLine } from './cart-line.ts'

/** A coupon of a cart, with its current effect on the lines. */
export interface CartCoupon extends AppliedCoupon {
  terms: CouponCandidate
}

/** Finds a coupon by its code and applies it to the lines of a cart. Null when the store has no such coupon. */
export async function evaluateCoupon(
  within: ReadScope,
  code: string,
  lines: readonly CartLine[],
  buyer: Buyer,
): Promise<CartCoupon | null> {
  const goods = lines.map(({ sellable: { productId, isSellable }, lineTotalMinor }) => ({
    productId,
    isSellable,
    lineTotalMinor,
  }))
  const productIds = [...new Set(goods.map(({ productId }) => productId))]
  const terms = await findCouponByCode(within, code, productIds, buyer)
  return terms && { terms, ...applyCoupon(terms, goods, buyer.customerId) }
}
