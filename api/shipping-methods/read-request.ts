import type { Static } from 'typebox'
import { toCamelCase, toMinorIfPresent } from '#api/platform/input/request-fields.ts'
import { toMinor } from '#shared/platform/money.ts'
import type { ShippingMethodInput } from '#shared/shipping-methods/shipping-method.ts'
import type { ShippingMethodChanges } from '#shared/shipping-methods/update-shipping-method.ts'
import type { CreateShippingMethodRequest, UpdateShippingMethodRequest } from './schemas.ts'

/** Reads a new shipping method. Amounts are in minor units. Omitted fields get their defaults. */
export const toShippingInput = (
  { price, free_from = null, max_weight = null, ...fields }: Static<typeof CreateShippingMethodRequest>,
  currency: string,
): ShippingMethodInput => ({
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

/** Reads the changes of a shipping method. Omitted fields are undefined. */
export const toShippingChanges = (
  { price, free_from, max_weight, ...fields }: Static<typeof UpdateShippingMethodRequest>,
  currency: string,
): ShippingMethodChanges => ({
  ...toCamelCase(fields),
  priceMinor: toMinorIfPresent(price, currency, ['price']),
  freeFromMinor: toMinorIfPresent(free_from, currency, ['free_from']),
  maxWeightGrams: max_weight,
})
