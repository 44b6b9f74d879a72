import { applyToCart, type CartCoupon } from '#shared/cart/cart-coupon.ts'
import { type CartLine, repriceLine } from '#shared/cart/cart-line.ts'
import { priceCart } from '#shared/cart/price-cart.ts'
import type { CartContents } from '#shared/cart/read-cart.ts'
import { type OfferedMethod, shippingPrice } from '#shared/shipping-methods/offered-method.ts'
import { priceConverter } from '#shared/tax/price-converter.ts'
import type { TaxRules } from '#shared/tax/tax-rules.ts'

/** Goods to price, with their coupon. */
export type Goods = Pick<CartContents, 'lines' | 'coupon'>

/** Returns goods at the prices of a place, with the effect of their coupon. */
export function repriceGoods(tax: TaxRules, goods: Goods): { lines: CartLine[]; coupon: CartCoupon | null } {
  const priceOf = priceConverter(tax)
  const lines = goods.lines.map((line) => repriceLine(line, priceOf))
  return { lines, coupon: goods.coupon && applyToCart(goods.coupon, lines) }
}

/**
 * Returns a function that prices shipping methods for goods at a place. The price depends on the discounted goods
 * without gift vouchers.
 */
export function shippingPriceFor(tax: TaxRules, goods: Goods): (method: OfferedMethod) => bigint {
  const { lines, coupon } = repriceGoods(tax, goods)
  return shippingPriceForRepriced(tax, lines, coupon)
}

/** Like `shippingPriceFor`, for goods that already have the prices of the place. */
export function shippingPriceForRepriced(
  tax: TaxRules,
  lines: readonly CartLine[],
  coupon: CartCoupon | null,
) {
  const { totals } = priceCart(lines, { discountsMinor: coupon?.discountsMinor })
  const priceOf = priceConverter(tax)
  return (method: OfferedMethod): bigint =>
    coupon?.freeShipping
      ? 0n
      : priceOf(shippingPrice(method, totals.subtotalMinor - totals.discountMinor), method.taxClassId)
}
