import { Type } from 'typebox'
import {
  I18nLine,
  I18nText,
  Line,
  MAX_INT4,
  Money,
  Nullable,
  Position,
  Shape,
  Uuid,
} from '#shared/platform/http/schema.ts'

export const ShippingMethodParams = Shape({ id: Uuid })

const Code = Line(100)

const ShippingPrice = {
  ...Money,
  description: 'Major units; with tax where the prices of the store include it',
}

const shippingFields = {
  estimate_i18n: Type.Optional(I18nText(200)),
  free_from: Type.Optional({
    ...Nullable(Money),
    description: 'Shipping is free when the goods cost at least this much after discounts. Null: never',
  }),
  max_weight: Type.Optional({
    ...Nullable(Type.Integer({ minimum: 1, maximum: MAX_INT4 })),
    description: 'Maximum weight of a cart in grams. Null: no limit',
  }),
  tax_class_id: Type.Optional({ ...Nullable(Uuid), description: "Null: the store's default class" }),
  geo_zone_ids: Type.Optional(
    Type.Array(Uuid, { maxItems: 200, description: 'Where it delivers. Empty: everywhere' }),
  ),
  position: Type.Optional(Position),
  is_active: Type.Optional(Type.Boolean()),
}

export const NewShippingMethod = Shape({
  code: Code,
  name_i18n: I18nLine(200),
  price: ShippingPrice,
  ...shippingFields,
})

export const ShippingMethodPatch = Shape(
  {
    code: Type.Optional(Code),
    name_i18n: Type.Optional(I18nLine(200)),
    price: Type.Optional(ShippingPrice),
    ...shippingFields,
  },
  { minProperties: 1 },
)
