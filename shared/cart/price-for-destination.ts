import type { Place } from '#shared/geo/place.ts'
import type { ReadScope } from '#shared/platform/db/json-query.ts'
import { sum } from '#shared/platform/money.ts'
import { ShippingMethodErrors } from '#shared/settings/errors.ts'
import { findTerms, type Terms } from '#shared/settings/find-terms.ts'
import { carries, shippingPrice } from '#shared/settings/offered-method.ts'
import { type Taxed, type TaxPart, taxParts, taxUnder } from '#shared/tax/calculate-tax.ts'
import { termsFor } from '#shared/tax/tax-terms.ts'
import type { CartLine } from './cart-line.ts'
import type { VoucherLine } from './cart-voucher.ts'
import type { CartCoupon } from './evaluate-coupon.ts'
import { type Charges, type LineParts, type PricedLines, priceCart } from './price-cart.ts'
import type { PricedCart } from './read-cart.ts'

/** The place and the shipping method of a cart, as far as they are known. */
export interface Destination {
  place: Place
  shippingMethodId?: string | undefined
}

/**
 * Prices a cart for a destination, as checkout does. Without a destination it has neither tax nor shipping costs. Throws
 * `checkout.shipping_unavailable` unless the shipping method is offered there.
 */
export async function priceForDestination(
  within: ReadScope,
  cart: PricedCart,
  destination: Destination | null,
): Promise<PricedCart> {
  if (!destination) return cart
  const terms = await findTerms(within, destination)
  if (destination.shippingMethodId) assertShips(terms, cart.lines)
  return { ...cart, ...priceWithTerms({ ...terms, tax: termsFor(cart, terms.tax) }, cart) }
}

/** Throws `checkout.shipping_unavailable` unless the shipping method is offered and carries the weight of the lines. */
export function assertShips({ shipping }: Pick<Terms, 'shipping'>, lines: readonly CartLine[]): void {
  if (lines.length > 0 && (!shipping || !carries(shipping, totalWeightGrams(lines))))
    throw ShippingMethodErrors.unavailable()
}

/** Variants without a weight count as 0. */
export const totalWeightGrams = (lines: readonly CartLine[]): number =>
  lines.reduce((grams, { sellable, quantity }) => grams + (sellable.weightGrams ?? 0) * quantity, 0)

/** The base of the shipping price: the price of the goods less the discount, without gift vouchers. */
export const discountedGoodsMinor = (lines: readonly (CartLine & LineParts)[]): bigint =>
  sum(lines.map(({ lineTotalMinor, discountMinor }) => lineTotalMinor - discountMinor))

/** The effect of a coupon on the price. */
type CartDiscount = Pick<CartCoupon, 'discountsMinor' | 'freeShipping'>

interface CartContents<Line> {
  lines: readonly Line[]
  vouchers: readonly Pick<VoucherLine, 'amountMinor'>[]
  coupon: CartDiscount | null
}

/** Prices a cart with the shipping and tax of a place. Gift vouchers are neither shipped nor taxed. */
export function priceWithTerms<Line extends CartLine>(
  { shipping, tax }: Pick<Terms, 'shipping' | 'tax'>,
  { lines, vouchers, coupon }: CartContents<Line>,
): PricedLines<Line> & { taxes: TaxPart[] } {
  const discountsMinor = coupon?.discountsMinor
  const vouchersMinor = sum(vouchers.map(({ amountMinor }) => amountMinor))
  const goodsMinor = discountedGoodsMinor(priceCart(lines, { discountsMinor }).lines)
  const shipped =
    lines.length === 0
      ? undefined
      : shipping && {
          priceMinor: coupon?.freeShipping ? 0n : shippingPrice(shipping, goodsMinor),
          taxClassId: shipping.taxClassId,
        }
  const priced = priceCart(lines, { discountsMinor, shipping: shipped, vouchersMinor, taxOn: taxUnder(tax) })
  return { ...priced, taxes: taxParts(tax, [...priced.lines.map(toTaxed), ...shippingTaxed(shipped)]) }
}

const toTaxed = ({ lineTotalMinor, discountMinor, taxClassId }: CartLine & LineParts): Taxed => ({
  amountMinor: lineTotalMinor - discountMinor,
  taxClassId,
})

const shippingTaxed = (shipped: Charges['shipping']): Taxed[] =>
  shipped ? [{ amountMinor: shipped.priceMinor, taxClassId: shipped.taxClassId }] : []
