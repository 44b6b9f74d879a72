import type { Static } from 'typebox'
import { toCamelCase, toMinorIfPresent } from '#api/platform/input/read-fields.ts'
import { toMinor } from '#shared/platform/money.ts'
import type { ShippingMethodChanges, ShippingMethodDraft } from '#shared/settings/keep-shipping-method.ts'
import type { NewShippingMethod, ShippingMethodPatch } from './method-schemas.ts'

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
