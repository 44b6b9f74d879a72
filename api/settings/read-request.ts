import type { Static } from 'typebox'
import { omitUndefined, toCamelCase, toMinorIfPresent } from '#api/platform/input/read-fields.ts'
import { toMinor } from '#shared/platform/money.ts'
import type { ShippingMethodChanges, ShippingMethodDraft } from '#shared/settings/keep-shipping-method.ts'
import type { SettingsChange } from '#shared/stores/change-settings.ts'
import type { Store } from '#shared/stores/store.ts'
import type { NewShippingMethod, ShippingMethodPatch } from './method-schemas.ts'
import type { SettingsChanges } from './schemas.ts'

/** A way to ship as it was asked for, in the domain's terms: minor units, absent fields at their defaults. */
export const toShippingDraft = (
  { price, free_from = null, max_weight = null, ...fields }: Static<typeof NewShippingMethod>,
  currency: string,
): ShippingMethodDraft => ({
  estimateI18n: {},
  taxClassId: null,
  geoZoneIds: [],
  position: 0,
  isActive: true,
  ...toCamelCase(fields),
  priceMinor: toMinor(price, currency, ['price']),
  freeFromMinor: toMinorIfPresent(free_from, currency, ['free_from']),
  maxWeightGrams: max_weight,
})

/** The changes that a request asks for; what it leaves out is undefined. */
export const toShippingChanges = (
  { price, free_from, max_weight, ...fields }: Static<typeof ShippingMethodPatch>,
  currency: string,
): ShippingMethodChanges => ({
  ...toCamelCase(fields),
  priceMinor: toMinorIfPresent(price, currency, ['price']),
  freeFromMinor: toMinorIfPresent(free_from, currency, ['free_from']),
  maxWeightGrams: max_weight,
})

/** Changes of a store's settings in the domain's terms. */
export const toSettingsChange = (
  { min_order_total, ...fields }: Static<typeof SettingsChanges>,
  { currency }: Store,
): SettingsChange => {
  const minOrderTotalMinor = toMinorIfPresent(min_order_total, currency, ['min_order_total'])
  return { ...toCamelCase(fields), ...omitUndefined({ minOrderTotalMinor }) }
}
