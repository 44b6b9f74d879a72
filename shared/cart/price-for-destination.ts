import type { Place } from '#shared/geo/place.ts'
import type { ReadScope } from '#shared/platform/db/json-query.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import { sum } from '#shared/platform/money.ts'
import { ShippingMethodErrors } from '#shared/settings/errors.ts'
import { findTerms, type Terms } from '#shared/settings/find-terms.ts'
import { carries, type OfferedMethod, shippingPrice } from '#shared/settings/offered-method.ts'
import { priceUnder, type Taxed, type TaxPart, taxParts, taxUnder } from '#shared/tax/calculate-tax.ts'
import { NO_TAX, type TaxTerms, termsFor } from '#shared/tax/tax-terms.ts'
import { applyToCart, type CartCoupon } from './cart-coupon.ts'
import { type CartLine, chargeLine } from './cart-line.ts'
import type { VoucherLine } from './cart-voucher.ts'
import { type Charges, type LineParts, type PricedLines, priceCart } from './price-cart.ts'
import type { CartContents } from './read-cart.ts'

/** The place and the shipping method of a cart, as far as they are known. */
export interface Destination {
  place: Place
  shippingMethodId?: string | undefined
}

/** A cart with its lines at the prices of a place. */
export interface PricedCart extends PricedLines<CartLine> {
  id: string | null
  /** Null without a coupon, or when the coupon was deleted. */
  coupon: CartCoupon | null
  /** The tax of each rate; empty without a destination. */
  taxes: readonly TaxPart[]
  /** Gift vouchers to buy, included in the totals. */
  vouchers: VoucherLine[]
  metadata: Metadata
  /** The taxes by which it is priced. */
  tax: TaxTerms
}

/**
 * Prices a cart for a destination, as checkout does. Without a destination it has neither tax nor shipping costs. Throws
 * `checkout.shipping_unavailable` unless the shipping method is offered there.
 */
export async function priceForDestination(
  within: ReadScope,
  cart: CartContents,
  destination: Destination | null,
): Promise<PricedCart> {
  const { id, vouchers, metadata, lines } = cart
  if (!destination)
    return { id, vouchers, metadata, ...priceWithTerms({ shipping: undefined, tax: NO_TAX }, cart) }
  const terms = await findTerms(within, destination)
  if (destination.shippingMethodId) assertShips(terms, lines)
  return { id, vouchers, metadata, ...priceWithTerms({ ...terms, tax: termsFor(cart, terms.tax) }, cart) }
}

/** Throws `checkout.shipping_unavailable` unless the shipping method is offered and carries the weight of the lines. */
export function assertShips({ shipping }: Pick<Terms, 'shipping'>, lines: readonly CartLine[]): void {
  if (lines.length > 0 && (!shipping || !carries(shipping, totalWeightGrams(lines))))
    throw ShippingMethodErrors.unavailable()
}

/** Variants without a weight count as 0. */
export const totalWeightGrams = (lines: readonly CartLine[]): number =>
  lines.reduce((grams, { sellable, quantity }) => grams + (sellable.weightGrams ?? 0) * quantity, 0)

type Goods = Pick<CartContents, 'lines' | 'coupon'>

/** The lines at the prices of a place, and the effect of the coupon on them. */
function chargeGoods(tax: TaxTerms, goods: Goods): { lines: CartLine[]; coupon: CartCoupon | null } {
  const priceOf = priceUnder(tax)
  const lines = goods.lines.map((line) => chargeLine(line, priceOf))
  return { lines, coupon: goods.coupon && applyToCart(goods.coupon, lines) }
}

/** Prices shipping methods for goods at a place: by the price of the goods less the discount, without gift vouchers. */
export function shippingPriceFor(tax: TaxTerms, goods: Goods): (method: OfferedMethod) => bigint {
  const { lines, coupon } = chargeGoods(tax, goods)
  return shippingPriceOf(tax, lines, coupon)
}

function shippingPriceOf(tax: TaxTerms, lines: readonly CartLine[], coupon: CartCoupon | null) {
  const { totals } = priceCart(lines, { discountsMinor: coupon?.discountsMinor })
  const priceOf = priceUnder(tax)
  return (method: OfferedMethod): bigint =>
    coupon?.freeShipping
      ? 0n
      : priceOf(shippingPrice(method, totals.subtotalMinor - totals.discountMinor), method.taxClassId)
}

/** Prices a cart with the shipping and tax of a place. Gift vouchers are neither shipped nor taxed. */
export function priceWithTerms(
  { shipping, tax }: Pick<Terms, 'shipping' | 'tax'>,
  cart: Goods & { vouchers: readonly Pick<VoucherLine, 'amountMinor'>[] },
): PricedLines<CartLine> & { taxes: TaxPart[]; coupon: CartCoupon | null; tax: TaxTerms } {
  const { lines, coupon } = chargeGoods(tax, cart)
  const shipped: Charges['shipping'] =
    shipping && lines.length > 0
      ? { priceMinor: shippingPriceOf(tax, lines, coupon)(shipping), taxClassId: shipping.taxClassId }
      : undefined
  const priced = priceCart(lines, {
    discountsMinor: coupon?.discountsMinor,
    shipping: shipped,
    vouchersMinor: sum(cart.vouchers.map(({ amountMinor }) => amountMinor)),
    taxOn: taxUnder(tax),
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
