import type { Place } from '#shared/geo/place.ts'
import type { ReadScope } from '#shared/platform/db/json-query.ts'
import { sum } from '#shared/platform/money.ts'
import { ShippingMethodErrors } from '#shared/settings/errors.ts'
import { findTerms, type Terms } from '#shared/settings/find-terms.ts'
import { carries, shippingPrice } from '#shared/settings/offered-method.ts'
import { type Taxed, type TaxPart, taxParts, taxUnder } from '#shared/tax/tax-on.ts'
import type { CartCoupon } from './cart-coupon.ts'
import type { CartLine } from './cart-line.ts'
import type { VoucherLine } from './cart-voucher.ts'
import { type Charges, type LineParts, type PricedLines, priceCart } from './price-cart.ts'
import type { PricedCart } from './read-cart.ts'

/** Where a cart is to go, and how, as far as it is known. */
export interface Destination {
  place: Place
  shippingMethodId?: string | undefined
}

/**
 * A cart as checkout will price it for a destination; without one as it is: untaxed, and nothing counted for shipping.
 * Throws `checkout.shipping_unavailable` unless the way to ship is offered there.
 */
export async function priceAt(
  within: ReadScope,
  cart: PricedCart,
  destination: Destination | null,
): Promise<PricedCart> {
  if (!destination) return cart
  const terms = await findTerms(within, destination)
  if (destination.shippingMethodId) assertShips(terms, cart.lines)
  return { ...cart, ...priceUnder(terms, cart) }
}

/** Throws `checkout.shipping_unavailable` unless the chosen way to ship is offered and carries the lines, if there are any. */
export function assertShips({ shipping }: Pick<Terms, 'shipping'>, lines: readonly CartLine[]): void {
  if (lines.length > 0 && (!shipping || !carries(shipping, weightOf(lines))))
    throw ShippingMethodErrors.unavailable()
}

/** In grams; what is not known to weigh anything weighs nothing. */
export const weightOf = (lines: readonly CartLine[]): number =>
  lines.reduce((grams, { sellable, quantity }) => grams + (sellable.weightGrams ?? 0) * quantity, 0)

/** What the price of shipping goes by: what goods come to, less the discount. Gift vouchers do not count. */
export const goodsOf = (lines: readonly (CartLine & LineParts)[]): bigint =>
  sum(lines.map(({ lineTotalMinor, discountMinor }) => lineTotalMinor - discountMinor))

/** What is taken off: of each line, in their order, and all that shipping costs. */
type Off = Pick<CartCoupon, 'discountsMinor' | 'freeShipping'>

/** What is in a cart: goods, gift vouchers to be bought, and what is taken off. */
interface InCart<Line> {
  lines: readonly Line[]
  vouchers: readonly Pick<VoucherLine, 'amountMinor'>[]
  coupon: Off | null
}

/** Prices what is in a cart under the terms of a place. Gift vouchers are neither shipped nor taxed. */
export function priceUnder<Line extends CartLine>(
  { shipping, tax }: Pick<Terms, 'shipping' | 'tax'>,
  { lines, vouchers, coupon: off }: InCart<Line>,
): PricedLines<Line> & { taxes: TaxPart[] } {
  const discountsMinor = off?.discountsMinor
  const vouchersMinor = sum(vouchers.map(({ amountMinor }) => amountMinor))
  const goodsMinor = goodsOf(priceCart(lines, { discountsMinor }).lines)
  const shipped =
    lines.length === 0
      ? undefined
      : shipping && {
          priceMinor: off?.freeShipping ? 0n : shippingPrice(shipping, goodsMinor),
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
