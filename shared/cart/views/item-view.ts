import { type Static, Type } from 'typebox'
import type { CartLine } from '#shared/cart/cart-line.ts'
import type { VoucherLine } from '#shared/cart/cart-voucher.ts'
import type { LineParts } from '#shared/cart/price-cart.ts'
import { type ExplainedPrice, LINE_PRICE_KINDS, PRICE_REASONS } from '#shared/cart/prices/explain-prices.ts'
import { toText, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { pickText } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import { giftProperties, VOUCHER_SKU, viewGift, voucherName } from '#shared/vouchers/gift.ts'
import { RecurringLineView, viewRecurringLine } from './recurring-line-view.ts'

/** A gift voucher to buy. `product_id`, `variant_id` and `variant` of its line are null. */
export const CartVoucherView = Shape({
  amount: Money,
  ...giftProperties,
})

export function viewVoucherLine(voucher: VoucherLine, currency: string, language: string) {
  const amount = toMajor(voucher.amountMinor, currency)
  return {
    id: voucher.id,
    product_id: null,
    variant_id: null,
    name: voucherName(language),
    sku: VOUCHER_SKU,
    quantity: 1,
    unit_price: amount,
    line_total: amount,
    discount_total: 0,
    tax_total: 0,
    net_total: amount,
    total: amount,
    image_url: toText(voucher.imageUrl),
    available: true,
    variant: null,
    recurring: null,
    voucher: { amount, ...viewGift(voucher) },
  }
}

export const PriceExplanation = Shape({
  kind: Type.Enum([...LINE_PRICE_KINDS]),
  price: Money,
  min_quantity: Type.Integer(),
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
  applied: Type.Boolean({ description: 'Whether this is the unit price' }),
  reason: { ...Nullable(Type.Enum([...PRICE_REASONS])), description: 'Why it is not applied' },
})

export const viewPrice = (explained: ExplainedPrice, currency: string): Static<typeof PriceExplanation> => ({
  kind: explained.kind,
  price: toMajor(explained.priceMinor, currency),
  min_quantity: explained.minQuantity,
  starts_at: toTimestampOrNull(explained.startsAt),
  ends_at: toTimestampOrNull(explained.endsAt),
  applied: explained.reason === null,
  reason: explained.reason,
})

/** A line of a cart: goods or a gift voucher. */
export const CartItemView = Shape({
  id: Uuid,
  product_id: Nullable(Uuid),
  variant_id: Nullable(Uuid),
  name: Type.String(),
  sku: Type.String(),
  quantity: Type.Integer(),
  unit_price: Type.Number({
    description:
      'The current price, or that of the first charge of the plan; 0 for a variant or plan that is no longer sold',
  }),
  line_total: Money,
  discount_total: { ...Money, description: 'The discount of the coupon on this line' },
  tax_total: Money,
  net_total: { ...Money, description: '`total` less `tax_total`' },
  total: { ...Money, description: 'The price of the line for the buyer, with its discount and its tax' },
  image_url: Type.String(),
  available: Type.Boolean({ description: 'Whether this quantity can be bought now' }),
  variant: Nullable(Shape({ price: Money, sale_price: Nullable(Money) })),
  recurring: { ...Nullable(RecurringLineView), description: 'Null: it is bought once' },
  explanation: Type.Optional(
    Type.Array(PriceExplanation, { description: 'All possible prices of a unit; with `explain=true`' }),
  ),
  voucher: Nullable(CartVoucherView),
})

/** Returns a line of goods. */
export function viewLine(
  line: CartLine & LineParts,
  store: Store,
  language: string,
): Static<typeof CartItemView> {
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
    net_total: major(line.totalMinor - line.taxMinor),
    total: major(line.totalMinor),
    image_url: toText(sellable.imageUrl),
    available: line.isAvailable,
    variant: {
      price: major(sellable.basePriceMinor),
      sale_price: sellable.salePriceMinor === null ? null : major(sellable.salePriceMinor),
    },
    recurring: line.recurring ? viewRecurringLine(line.recurring, line.quantity, { store, language }) : null,
    voucher: null,
  }
}
