import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { I18nText, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { pickText } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import type { OfferedMethod } from './offered-method.ts'
import type { ShippingMethodWithZones } from './shipping-method.ts'

export const ShippingMethodView = Shape({
  id: Uuid,
  code: Type.String(),
  name: Type.String(),
  price: Money,
  estimate: Type.String(),
})

/** Returns a shipping method in the buyer's language, with the price for the cart. */
export const viewShippingMethod = (
  method: OfferedMethod,
  priceMinor: bigint,
  { store, language }: { store: Store; language: string },
): Static<typeof ShippingMethodView> => ({
  id: method.id,
  code: method.code,
  name: pickText(method.nameI18n, language, store.defaultLanguage),
  price: toMajor(priceMinor, store.currency),
  estimate: pickText(method.estimateI18n, language, store.defaultLanguage),
})

export const ShippingMethodSettingsView = Shape({
  id: Uuid,
  code: Type.String(),
  name_i18n: I18nText(200),
  estimate_i18n: I18nText(200),
  price: Money,
  free_from: {
    ...Nullable(Money),
    description: 'Shipping is free when the goods cost at least this much after discounts. Null: never',
  },
  max_weight: {
    ...Nullable(Type.Integer()),
    description: 'Maximum weight of a cart in grams. Null: no limit',
  },
  tax_class_id: { ...Nullable(Uuid), description: "Null: the store's default class" },
  geo_zone_ids: Type.Array(Uuid, { description: 'Where it delivers. Empty: everywhere' }),
  position: Type.Integer(),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** Returns a shipping method as staff see it. */
export const viewShippingSettings = (
  { method, geoZoneIds }: ShippingMethodWithZones,
  currency: string,
): Static<typeof ShippingMethodSettingsView> => ({
  id: method.id,
  code: method.code,
  name_i18n: method.nameI18n,
  estimate_i18n: method.estimateI18n,
  price: toMajor(method.priceMinor, currency),
  free_from: method.freeFromMinor === null ? null : toMajor(method.freeFromMinor, currency),
  max_weight: method.maxWeightGrams,
  tax_class_id: method.taxClassId,
  geo_zone_ids: geoZoneIds,
  position: method.position,
  is_active: method.isActive,
  created_at: toTimestamp(method.createdAt),
  updated_at: toTimestamp(method.updatedAt),
})
