import { type Static, Type } from 'typebox'
import { StockAvailable } from '#shared/inventory/view.ts'
import { Metadata } from '#shared/platform/http/metadata.ts'
import { toText, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { ProductVariant } from './variant.ts'

export const OptionValues = Type.Record(Type.String(), Type.String(), {
  description: 'The chosen value of each option, by option name',
})

export const VariantView = Shape({
  id: Uuid,
  sku: Type.String(),
  position: Type.Integer(),
  option_values: OptionValues,
  price: { ...Nullable(Money), description: "Null: the product's price" },
  sale_price: {
    ...Nullable(Money),
    description: 'Also outside its window; storefronts show it only within the window',
  },
  sale_starts_at: Nullable(Timestamp),
  sale_ends_at: Nullable(Timestamp),
  barcode: Type.String(),
  weight: Nullable(Type.Integer({ minimum: 0, description: 'Grams' })),
  stock_on_hand: Type.Integer(),
  stock_available: StockAvailable,
  backorder: Type.Boolean({ description: 'Can be sold beyond its stock' }),
  is_active: Type.Boolean(),
  metadata: Metadata,
})

/** Returns a variant as staff see it. It shows the sale price also outside its window. */
export function viewVariant(variant: ProductVariant, currency: string): Static<typeof VariantView> {
  return {
    id: variant.id,
    sku: variant.sku,
    position: variant.position,
    option_values: variant.optionValues,
    price: majorOrNull(variant.priceMinor, currency),
    sale_price: majorOrNull(variant.salePriceMinor, currency),
    sale_starts_at: toTimestampOrNull(variant.saleStartsAt),
    sale_ends_at: toTimestampOrNull(variant.saleEndsAt),
    barcode: toText(variant.barcode),
    weight: variant.weightGrams,
    stock_on_hand: variant.stockOnHand,
    stock_available: variant.stockAvailable,
    backorder: variant.backorder,
    is_active: variant.isActive,
    metadata: variant.metadata,
  }
}

const majorOrNull = (minor: bigint | null, currency: string): number | null =>
  minor === null ? null : toMajor(minor, currency)
