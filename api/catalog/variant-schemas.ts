import { Type } from 'typebox'
import { MOST_STOCK } from '#shared/catalog/variants/adjust-stock.ts'
import { LARGEST_INT4, Line, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'

export const Sku = Line(100)
export const OptionName = Line(100)
export const Grams = Type.Integer({ minimum: 0, maximum: LARGEST_INT4, description: 'Grams' })

const variantFields = {
  option_values: Type.Optional(
    Type.Record(Type.String({ pattern: '^[\\s\\S]{1,100}$' }), OptionName, {
      additionalProperties: false,
      maxProperties: 10,
    }),
  ),
  price: Type.Optional({ ...Nullable(Money), description: "Null: the product's price" }),
  sale_price: Type.Optional(Nullable(Money)),
  sale_starts_at: Type.Optional(Nullable(Timestamp)),
  sale_ends_at: Type.Optional(Nullable(Timestamp)),
  barcode: Type.Optional(Nullable(Line(100))),
  weight: Type.Optional(Nullable(Grams)),
  backorder: Type.Optional(Type.Boolean()),
  is_active: Type.Optional(Type.Boolean()),
}

const Stock = Type.Integer({ minimum: 0, maximum: MOST_STOCK })

export const VariantRequest = Shape({ sku: Sku, ...variantFields, stock_on_hand: Type.Optional(Stock) })

export const VariantChangeRequest = Shape({ sku: Type.Optional(Sku), ...variantFields })

export const VariantParams = Shape({ product_id: Uuid, variant_id: Uuid })

export const StockParams = Shape({ variant_id: Uuid })

export const AdjustStockRequest = Shape(
  {
    delta: Type.Optional(Type.Integer({ minimum: -MOST_STOCK, maximum: MOST_STOCK })),
    stock_on_hand: Type.Optional(Stock),
    note: Type.Optional({ ...Nullable(Line(500)), description: 'Why' }),
  },
  { description: 'Either `delta`, units that came or went, or `stock_on_hand`, units that were counted' },
)
