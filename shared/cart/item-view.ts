import { type Static, Type } from 'typebox'
import { PRICE_KINDS } from '#shared/catalog/prices/price-candidates.ts'
import { Money, Nullable, Shape, Timestamp, toTimestampOrNull } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { giftProperties, VOUCHER_SKU, viewGift, voucherName } from '#shared/vouchers/gift.ts'
import type { VoucherLine } from './cart-voucher.ts'
import { type ExplainedPrice, PRICE_REASONS } from './explain-prices.ts'

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
    image_url: voucher.imageUrl,
    available: true,
    variant: null,
    voucher: { amount, ...viewGift(voucher) },
  }
}

export const PriceExplanation = Shape({
  kind: Type.Enum([...PRICE_KINDS]),
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
