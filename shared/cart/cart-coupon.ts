import { type AppliedCoupon, applyCoupon, type PresentedCoupon } from '#shared/coupons/apply-coupon.ts'
import type { Buyer } from '#shared/coupons/buyer.ts'
import { findPresented } from '#shared/coupons/find-presented.ts'
import type { ReadScope } from '#shared/platform/db/json-query.ts'
import type { CartLine } from './cart-line.ts'

/** A coupon on a cart, with what it does to its lines now. */
export interface CartCoupon extends AppliedCoupon {
  terms: PresentedCoupon
}

/** Presents a coupon's code with the lines of a cart; null when the store has no coupon by that code. */
export async function presentCoupon(
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
  const terms = await findPresented(within, code, productIds, buyer)
  return terms && { terms, ...applyCoupon(terms, goods, buyer.customerId) }
}
