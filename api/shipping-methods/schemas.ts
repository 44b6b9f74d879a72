import { Type } from 'typebox'
import {
  Changes,
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
import { ShippingMethodSettingsView } from '#shared/shipping-methods/view.ts'

export const ShippingMethodParams = Shape({ id: Uuid })

const Code = Line(100)

const ShippingPrice = {
  ...Money,
  description: 'Major units; with tax where the prices of the store include it',
}

const { free_from, max_weight, tax_class_id, geo_zone_ids } = ShippingMethodSettingsView.properties

const shippingFields = {
  estimate_i18n: Type.Optional(I18nText(200)),
  free_from: Type.Optional(free_from),
  max_weight: Type.Optional({
    ...Nullable(Type.Integer({ minimum: 1, maximum: MAX_INT4 })),
    description: max_weight.description,
  }),
  tax_class_id: Type.Optional(tax_class_id),
  geo_zone_ids: Type.Optional({ ...geo_zone_ids, maxItems: 200 }),
  position: Type.Optional(Position),
  is_active: Type.Optional(Type.Boolean()),
}

export const CreateShippingMethodRequest = Shape({
  code: Code,
  name_i18n: I18nLine(200),
  price: ShippingPrice,
  ...shippingFields,
})

export const UpdateShippingMethodRequest = Changes(CreateShippingMethodRequest.properties)
