import { type Static, Type } from 'typebox'
import { COUPON_TYPES } from '#shared/coupons/coupon.ts'
import { CouponValue, majorValue } from '#shared/coupons/view.ts'
import { Money, Nullable, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { pickText } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import { TaxPartView, viewTaxPart } from '#shared/tax/view.ts'
import type { CartLine } from './cart-line.ts'
import type { CartCoupon } from './evaluate-coupon.ts'
import type { ExplainedPrice } from './explain-prices.ts'
import { CartVoucherView, PriceExplanation, viewPrice, viewVoucherLine } from './item-view.ts'
import type { LineParts } from './price-cart.ts'
import type { PricedCart } from './read-cart.ts'

const CartItemView = Shape({
  id: Uuid,
  product_id: Nullable(Uuid),
  variant_id: Nullable(Uuid),
  name: Type.String(),
  sku: Type.String(),
  quantity: Type.Integer(),
  unit_price: Type.Number({ description: 'The current price; 0 for a variant that is no longer sold' }),
  line_total: Money,
  discount_total: { ...Money, description: 'The discount of the coupon on this line' },
  tax_total: Money,
  image_url: Nullable(Type.String()),
  available: Type.Boolean({ description: 'Whether this quantity can be bought now' }),
  variant: Nullable(Shape({ price: Money, sale_price: Nullable(Money) })),
  explanation: Type.Optional(
    Type.Array(PriceExplanation, { description: 'All possible prices of a unit; with `explain=true`' }),
  ),
  voucher: Nullable(CartVoucherView),
})

const CartCouponView = Shape({
  code: Type.String(),
  name: Nullable(Type.String()),
  type: Type.Enum([...COUPON_TYPES]),
  value: CouponValue,
  free_shipping: Type.Boolean(),
  applied: Type.Boolean({ description: 'Whether it counts in the totals' }),
  reason: Nullable(Type.String({ description: 'The error code of checkout while it does not apply' })),
})

export const CartView = Shape({
  id: Nullable(Uuid),
  token: Type.Optional(
    Type.String({ description: 'The token of a new guest cart: send it as X-Cart-Token. Shown once.' }),
  ),
  currency: Type.String({ description: 'ISO 4217' }),
  items: Type.Array(CartItemView),
  coupon: Nullable(CartCouponView),
  subtotal: Money,
  discount_total: Money,
  shipping_total: Money,
  tax_total: Money,
  taxes: Type.Array(TaxPartView, { description: 'The tax of each rate; they add up to `tax_total`' }),
  total: Money,
  min_order_total: Money,
  guest_checkout_enabled: Type.Boolean(),
})

interface CartContext {
  store: Store
  language: string
  token?: string | undefined
  /** By line id; only with `explain=true`. */
  explained?: Map<string, ExplainedPrice[]> | undefined
}

export function viewCart(
  { id, lines, vouchers, coupon, taxes, totals }: PricedCart,
  { store, language, token, explained }: CartContext,
): Static<typeof CartView> {
  const major = (minor: bigint) => toMajor(minor, store.currency)
  return {
    id,
    ...(token ? { token } : {}),
    currency: store.currency,
    items: [
      ...lines.map((line) => ({
        ...viewLine(line, store, language),
        ...(explained
          ? { explanation: (explained.get(line.id) ?? []).map((price) => viewPrice(price, store.currency)) }
          : {}),
      })),
      ...vouchers.map((voucher) => viewVoucherLine(voucher, store.currency, language)),
    ],
    coupon: coupon && viewCoupon(coupon),
    subtotal: major(totals.subtotalMinor),
    discount_total: major(totals.discountMinor),
    shipping_total: major(totals.shippingMinor),
    tax_total: major(totals.taxMinor),
    taxes: taxes.map((part) => viewTaxPart(part, store.currency)),
    total: major(totals.totalMinor),
    min_order_total: major(store.minOrderTotalMinor),
    guest_checkout_enabled: store.guestCheckoutEnabled,
  }
}

const viewCoupon = ({ terms, refusal }: CartCoupon): Static<typeof CartCouponView> => ({
  code: terms.code,
  name: terms.name,
  type: terms.type,
  value: majorValue(terms, terms.currency),
  free_shipping: terms.freeShipping,
  applied: refusal === null,
  reason: refusal?.code ?? null,
})

function viewLine(line: CartLine & LineParts, store: Store, language: string): Static<typeof CartItemView> {
  const { sellable } = line
  const major = (minor: bigint) => toMajor(minor, store.currency)
  return {
    id: line.id,
    product_id: sellable.productId,
    variant_id: line.variantId,
    name: pickText(sellable.nameI18n, language, store.defaultLanguage),
    sku: sellable.sku,
    quantity: line.quantity,
    unit_price: major(line.unitPriceMinor),
    line_total: major(line.lineTotalMinor),
    discount_total: major(line.discountMinor),
    tax_total: major(line.taxMinor),
    image_url: sellable.imageUrl,
    available: line.isAvailable,
    variant: {
      price: major(sellable.basePriceMinor),
      sale_price: sellable.salePriceMinor === null ? null : major(sellable.salePriceMinor),
    },
    voucher: null,
  }
}
