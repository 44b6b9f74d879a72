import { applyToCart, type CartCoupon } from '#shared/cart/cart-coupon.ts'
import { type CartLine, repriceLine } from '#shared/cart/cart-line.ts'
import type { VoucherLine } from '#shared/cart/cart-voucher.ts'
import { type Charges, type LineParts, type PricedLines, priceCart } from '#shared/cart/price-cart.ts'
import type { CartContents } from '#shared/cart/read-cart.ts'
import { sum } from '#shared/platform/money.ts'
import { type OfferedMethod, shippingPrice } from '#shared/shipping-methods/offered-method.ts'
import { type Taxed, type TaxPart, taxCalculator, taxParts } from '#shared/tax/calculate-tax.ts'
import { priceConverter } from '#shared/tax/price-at-place.ts'
import type { TaxRules } from '#shared/tax/tax-rules.ts'
import type { SaleRules } from './find-sale-rules.ts'

type Goods = Pick<CartContents, 'lines' | 'coupon'>

/** Goods at the prices of a place, with the effect of the coupon on them. */
function repriceGoods(tax: TaxRules, goods: Goods): { lines: CartLine[]; coupon: CartCoupon | null } {
  const priceOf = priceConverter(tax)
  const lines = goods.lines.map((line) => repriceLine(line, priceOf))
  return { lines, coupon: goods.coupon && applyToCart(goods.coupon, lines) }
}

/** Prices shipping methods for goods at a place: by the price of the goods less the discount, without gift vouchers. */
export function shippingPriceFor(tax: TaxRules, goods: Goods): (method: OfferedMethod) => bigint {
  const { lines, coupon } = repriceGoods(tax, goods)
  return shippingPriceOf(tax, lines, coupon)
}

function shippingPriceOf(tax: TaxRules, lines: readonly CartLine[], coupon: CartCoupon | null) {
  const { totals } = priceCart(lines, { discountsMinor: coupon?.discountsMinor })
  const priceOf = priceConverter(tax)
  return (method: OfferedMethod): bigint =>
    coupon?.freeShipping
      ? 0n
      : priceOf(shippingPrice(method, totals.subtotalMinor - totals.discountMinor), method.taxClassId)
}

/** Goods with their shipping, tax and totals at a place. */
export interface PricedGoods extends PricedLines<CartLine> {
  /** Null without a coupon, or when the coupon was deleted. */
  coupon: CartCoupon | null
  /** The tax of each rate; empty without a destination. */
  taxes: readonly TaxPart[]
  /** The taxes by which they are priced. */
  tax: TaxRules
}

/** Prices goods with the shipping and tax of a place. Gift vouchers are neither shipped nor taxed. */
export function priceGoods(
  { shipping, tax }: Pick<SaleRules, 'shipping' | 'tax'>,
  cart: Goods & { vouchers: readonly Pick<VoucherLine, 'amountMinor'>[] },
): PricedGoods {
  const { lines, coupon } = repriceGoods(tax, cart)
  const shipped: Charges['shipping'] =
    shipping && lines.length > 0
      ? { priceMinor: shippingPriceOf(tax, lines, coupon)(shipping), taxClassId: shipping.taxClassId }
      : undefined
  const priced = priceCart(lines, {
    discountsMinor: coupon?.discountsMinor,
    shipping: shipped,
    vouchersMinor: sum(cart.vouchers.map(({ amountMinor }) => amountMinor)),
    taxOn: taxCalculator(tax),
    pricesIncludeTax: tax.includedRates !== null,
  })
  const taxes = taxParts(tax, [...priced.lines.map(toTaxed), ...shippingTaxed(shipped)])
  return { ...priced, taxes, coupon, tax }
}

const toTaxed = ({ lineTotalMinor, discountMinor, taxClassId }: CartLine & LineParts): Taxed => ({
  amountMinor: lineTotalMinor - discountMinor,
  taxClassId,
})

const shippingTaxed = (shipped: Charges['shipping']): Taxed[] =>
  shipped ? [{ amountMinor: shipped.priceMinor, taxClassId: shipped.taxClassId }] : []
