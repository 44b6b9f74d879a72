import type { CartCoupon } from '#shared/cart/cart-coupon.ts'
import type { CartLine } from '#shared/cart/cart-line.ts'
import type { VoucherLine } from '#shared/cart/cart-voucher.ts'
import { type LineParts, type PricedLines, type PriceInputs, priceCart } from '#shared/cart/price-cart.ts'
import { sum } from '#shared/platform/money.ts'
import { type Taxed, type TaxPart, taxCalculator, taxParts } from '#shared/tax/tax-calculator.ts'
import type { TaxRules } from '#shared/tax/tax-rules.ts'
import type { SaleRules } from './find-sale-rules.ts'
import { type Goods, repriceGoods, shippingPriceForRepriced } from './shipping-price.ts'

/** Goods with their shipping, tax and totals at a place. */
export interface PricedGoods extends PricedLines<CartLine> {
  /** Null if there is no coupon or it was deleted. */
  coupon: CartCoupon | null
  /** The tax of each rate; empty without a destination. */
  taxes: readonly TaxPart[]
  /** The tax rules of the prices. */
  tax: TaxRules
}

/** Prices goods with the shipping and tax of a place. Gift vouchers have no shipping and no tax. */
export function priceGoods(
  { shipping, tax }: Pick<SaleRules, 'shipping' | 'tax'>,
  cart: Goods & { giftVouchers: readonly Pick<VoucherLine, 'amountMinor'>[] },
): PricedGoods {
  const { lines, coupon } = repriceGoods(tax, cart)
  const shipped: PriceInputs['shipping'] =
    shipping && lines.length > 0
      ? {
          priceMinor: shippingPriceForRepriced(tax, lines, coupon)(shipping),
          taxClassId: shipping.taxClassId,
        }
      : undefined
  const priced = priceCart(lines, {
    discountsMinor: coupon?.discountsMinor,
    shipping: shipped,
    vouchersMinor: sum(cart.giftVouchers.map(({ amountMinor }) => amountMinor)),
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

const shippingTaxed = (shipped: PriceInputs['shipping']): Taxed[] =>
  shipped ? [{ amountMinor: shipped.priceMinor, taxClassId: shipped.taxClassId }] : []
