import { type AppliedCoupon, applyCoupon, type CouponCandidate } from '#shared/coupons/apply-coupon.ts'
import { type Buyer, findCouponByCode } from '#shared/coupons/find-coupon-by-code.ts'
import type { ReadScope } from '#shared/platform/db/json-query.ts'
import type { CartLine } from './cart-line.ts'

/** A coupon of a cart, and whether its buyer is signed in. */
export interface EnteredCoupon {
  terms: CouponCandidate
  customerId: string | null
}

/** A coupon of a cart, with its current effect on the lines. */
export interface CartCoupon extends AppliedCoupon {
  terms: CouponCandidate
}

/** Finds the coupon of a code for the lines of a cart. Null when the store has no such coupon. */
export async function findCartCoupon(
  within: ReadScope,
  code: string,
  lines: readonly CartLine[],
  buyer: Buyer,
): Promise<EnteredCoupon | null> {
  const productIds = [...new Set(lines.map(({ sellable }) => sellable.productId))]
  const terms = await findCouponByCode(within, code, productIds, buyer)
  return terms && { terms, customerId: buyer.customerId }
}

/** Applies a coupon to the lines of a cart at their prices. */
export function applyToCart({ terms, customerId }: EnteredCoupon, lines: readonly CartLine[]): CartCoupon {
  const goods = lines.map(({ sellable: { productId, isSellable }, lineTotalMinor }) => ({
    productId,
    isSellable,
    lineTotalMinor,
  }))
  return { terms, ...applyCoupon(terms, goods, customerId) }
}
