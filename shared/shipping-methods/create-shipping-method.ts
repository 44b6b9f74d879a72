import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { assertTaxClass } from '#shared/tax/tax-class.ts'
import { ShippingMethodErrors } from './errors.ts'
import {
  findShippingMethod,
  ShippingMethod,
  type ShippingMethodInput,
  type ShippingMethodWithZones,
  setZones,
  throwCodeTaken,
} from './shipping-method.ts'

// Limited, because a cart lists the prices of all of them, and any visitor can ask for that list.
const MAX_METHODS = 500

/**
 * Creates a shipping method. Throws `shipping_method.limit_reached`, `shipping_method.code_taken`, and 422 for an
 * unknown tax class or geo zone.
 */
export async function createShippingMethod(
  tx: StoreTx,
  { geoZoneIds, ...fields }: ShippingMethodInput,
): Promise<ShippingMethodWithZones> {
  await assertBelowLimit(tx, ShippingMethod.in(tx), MAX_METHODS, ShippingMethodErrors.limitReached)
  await assertTaxClass(tx, fields.taxClassId)
  const at = now()
  const { id } = await ShippingMethod.in(tx)
    .insert({ ...fields, createdAt: at, updatedAt: at })
    .catch(throwCodeTaken)
  await setZones(tx, id, geoZoneIds)
  return findShippingMethod(tx, id)
}
