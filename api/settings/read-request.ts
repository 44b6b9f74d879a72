import type { Static } from 'typebox'
import { toMinor } from '#shared/platform/money.ts'
import type { ShippingMethodChanges, ShippingMethodDraft } from '#shared/settings/keep-shipping-method.ts'
import type { NewShippingMethod, ShippingMethodPatch } from './method-schemas.ts'

/** A way to ship as it was asked for, in the domain's terms: minor units, absent fields at their defaults. */
export const toShippingDraft = (
  body: Static<typeof NewShippingMethod>,
  currency: string,
): ShippingMethodDraft => ({
  code: body.code,
  nameI18n: body.name_i18n,
  estimateI18n: body.estimate_i18n ?? {},
  priceMinor: toMinor(body.price, currency, ['body', 'price']),
  freeFromMinor: minorOrNull(body.free_from ?? null, currency),
  maxWeightGrams: body.max_weight ?? null,
  taxClassId: body.tax_class_id ?? null,
  geoZoneIds: body.geo_zone_ids ?? [],
  position: body.position ?? 0,
  isActive: body.is_active ?? true,
})

/** The changes that a request asks for; what it leaves out is undefined. */
export const toShippingChanges = (
  body: Static<typeof ShippingMethodPatch>,
  currency: string,
): ShippingMethodChanges => ({
  code: body.code,
  nameI18n: body.name_i18n,
  estimateI18n: body.estimate_i18n,
  priceMinor: body.price === undefined ? undefined : toMinor(body.price, currency, ['body', 'price']),
  freeFromMinor: body.free_from === undefined ? undefined : minorOrNull(body.free_from, currency),
  maxWeightGrams: body.max_weight,
  taxClassId: body.tax_class_id,
  geoZoneIds: body.geo_zone_ids,
  position: body.position,
  isActive: body.is_active,
})

const minorOrNull = (amount: number | null, currency: string): bigint | null =>
  amount === null ? null : toMinor(amount, currency, ['body', 'free_from'])
