import { type Static, Type } from 'typebox'
import {
  I18nText,
  Money,
  Nullable,
  Shape,
  Timestamp,
  toTimestamp,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { pickText } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import type { WholeMethod } from './find-shipping-method.ts'
import type { OfferedMethod } from './offered-method.ts'
import { PAYMENT_METHODS, type PaymentMethod } from './payment-method.ts'

export const PaymentMethodView = Shape({
  code: Type.Enum([...PAYMENT_METHODS]),
  name: Type.String(),
  instructions: Nullable(Type.String()),
})

/** A way to pay, in the buyer's language. */
export const viewPaymentMethod = (
  method: PaymentMethod,
  store: Store,
  language: string,
): Static<typeof PaymentMethodView> => ({
  code: method.code,
  name: pickText(method.nameI18n, language, store.defaultLanguage),
  instructions: pickText(method.instructionsI18n, language, store.defaultLanguage) || null,
})

export const PaymentMethodSettingsView = Shape({
  code: Type.Enum([...PAYMENT_METHODS]),
  name_i18n: I18nText(200),
  instructions_i18n: I18nText(2_000),
  position: Type.Integer(),
  is_active: Type.Boolean(),
})

/** A way to pay, as staff keep it. */
export const viewPaymentSettings = (method: PaymentMethod): Static<typeof PaymentMethodSettingsView> => ({
  code: method.code,
  name_i18n: method.nameI18n,
  instructions_i18n: method.instructionsI18n,
  position: method.position,
  is_active: method.isActive,
})

export const ShippingMethodView = Shape({
  id: Uuid,
  code: Type.String(),
  name: Type.String(),
  price: Money,
  estimate: Nullable(Type.String()),
})

/** A way to ship, in the buyer's language, at what it costs them. */
export const viewShippingMethod = (
  method: OfferedMethod,
  priceMinor: bigint,
  { store, language }: { store: Store; language: string },
): Static<typeof ShippingMethodView> => ({
  id: method.id,
  code: method.code,
  name: pickText(method.nameI18n, language, store.defaultLanguage),
  price: toMajor(priceMinor, store.currency),
  estimate: pickText(method.estimateI18n, language, store.defaultLanguage) || null,
})

export const ShippingMethodSettingsView = Shape({
  id: Uuid,
  code: Type.String(),
  name_i18n: I18nText(200),
  estimate_i18n: I18nText(200),
  price: Money,
  free_from: {
    ...Nullable(Money),
    description: 'It costs nothing for goods that come to this or more, after discounts; null: never',
  },
  max_weight: { ...Nullable(Type.Integer()), description: 'Grams; it carries no more. Null: any weight' },
  tax_class_id: { ...Nullable(Uuid), description: "Null: the store's default class" },
  geo_zone_ids: Type.Array(Uuid, { description: 'Where it goes; none: everywhere' }),
  position: Type.Integer(),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** A way to ship, as staff keep it. */
export const viewShippingSettings = (
  { method, geoZoneIds }: WholeMethod,
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
