import { type Static, Type } from 'typebox'
import type { CartCoupon } from '#shared/cart/cart-coupon.ts'
import type { Totals } from '#shared/cart/price-cart.ts'
import type { ExplainedPrice } from '#shared/cart/prices/explain-prices.ts'
import type { PricedCart } from '#shared/cart/prices/price-for-destination.ts'
import { COUPON_TYPES } from '#shared/coupons/coupon.ts'
import { CouponValue, majorValue } from '#shared/coupons/view.ts'
import { cardChargeMinor } from '#shared/payment-methods/card-rules.ts'
import { Metadata } from '#shared/platform/http/metadata.ts'
import { toText } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, MoneyDifference, Nullable, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Store } from '#shared/stores/store.ts'
import { MinOrderTotal } from '#shared/stores/view.ts'
import { PricesIncludeTax, TaxPartView, viewTaxPart } from '#shared/tax/view.ts'
import { CartItemView, viewLine, viewPrice, viewVoucherLine } from './item-view.ts'

export const CartCouponView = Shape({
  code: Type.String(),
  name: Type.String(),
  type: Type.Enum([...COUPON_TYPES]),
  value: CouponValue,
  free_shipping: Type.Boolean(),
  applied: Type.Boolean({ description: 'Whether it counts in the totals' }),
  reason: Type.String({ description: 'The error code of checkout while it does not apply' }),
})

export const CartView = Shape({
  id: Nullable(Uuid),
  token: Type.Optional(
    Type.String({ description: 'The token of a new guest cart: send it as X-Cart-Token. Shown once.' }),
  ),
  currency: CurrencyCode,
  prices_include_tax: PricesIncludeTax,
  items: Type.Array(CartItemView),
  coupon: Nullable(CartCouponView),
  subtotal: Money,
  discount_total: Money,
  shipping_total: Money,
  shipping_tax_total: { ...Money, description: 'The tax on shipping, a part of `tax_total`' },
  tax_total: Money,
  taxes: Type.Array(TaxPartView, { description: 'The tax of each rate; they add up to `tax_total`' }),
  net_total: { ...Money, description: '`total` less `tax_total`' },
  total: Money,
  card_total: {
    ...Nullable(Money),
    description:
      'The total of an order paid by card, without a voucher: `total` rounded to the steps of the payment gateway. ' +
      'Null: below the smallest or above the largest charge by card',
  },
  card_rounding: { ...Nullable(MoneyDifference), description: '`card_total` less `total`; may be negative' },
  min_order_total: MinOrderTotal,
  guest_checkout_enabled: Type.Boolean(),
  metadata: { ...Metadata, description: 'Texts by key that the order gets at checkout' },
})

interface CartContext {
  store: Store
  language: string
  token?: string | undefined
  /** The possible prices by line id, only with `explain=true`. */
  explained?: Map<string, ExplainedPrice[]> | undefined
}

export function viewCart(
  { id, lines, giftVouchers, coupon, taxes, totals, metadata }: PricedCart,
  { store, language, token, explained }: CartContext,
): Static<typeof CartView> {
  const major = (minor: bigint) => toMajor(minor, store.currency)
  return {
    id,
    ...(token ? { token } : {}),
    currency: store.currency,
    prices_include_tax: totals.pricesIncludeTax,
    items: [
      ...lines.map((line) => ({
        ...viewLine(line, store, language),
        ...(explained
          ? { explanation: (explained.get(line.id) ?? []).map((price) => viewPrice(price, store.currency)) }
          : {}),
      })),
      ...giftVouchers.map((voucher) => viewVoucherLine(voucher, store.currency, language)),
    ],
    coupon: coupon && viewCoupon(coupon),
    subtotal: major(totals.subtotalMinor),
    discount_total: major(totals.discountMinor),
    shipping_total: major(totals.shippingMinor),
    shipping_tax_total: major(totals.shippingTaxMinor),
    tax_total: major(totals.taxMinor),
    taxes: taxes.map((part) => viewTaxPart(part, store.currency)),
    net_total: major(totals.totalMinor - totals.taxMinor),
    total: major(totals.totalMinor),
    ...viewCardTotal(totals, store.currency),
    min_order_total: major(store.minOrderTotalMinor),
    guest_checkout_enabled: store.guestCheckoutEnabled,
    metadata,
  }
}

function viewCardTotal({ totalMinor }: Totals, currency: string) {
  const chargeMinor = cardChargeMinor(totalMinor, currency)
  if (chargeMinor === null) return { card_total: null, card_rounding: null }
  return {
    card_total: toMajor(chargeMinor, currency),
    card_rounding: toMajor(chargeMinor - totalMinor, currency),
  }
}

const viewCoupon = ({ rules, refusal }: CartCoupon): Static<typeof CartCouponView> => ({
  code: rules.code,
  name: toText(rules.name),
  type: rules.type,
  value: majorValue(rules, rules.currency),
  free_shipping: rules.freeShipping,
  applied: refusal === null,
  reason: toText(refusal?.code),
})
