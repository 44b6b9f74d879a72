import { Type } from 'typebox'
import { Stock } from '#api/inventory/schemas.ts'
import { Line, MAX_INT4, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'

export const Sku = Line(100)
export const OptionName = Line(100)
export const Grams = Type.Integer({ minimum: 0, maximum: MAX_INT4, description: 'Grams' })

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

export const VariantRequest = Shape({ sku: Sku, ...variantFields, stock_on_hand: Type.Optional(Stock) })

export const VariantChangeRequest = Shape({ sku: Type.Optional(Sku), ...variantFields })

export const VariantParams = Shape({ product_id: Uuid, variant_id: Uuid })
