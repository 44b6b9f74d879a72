import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { assertTaxClass } from '#shared/tax/tax-class.ts'
import {
  findShippingMethod,
  ShippingMethod,
  type ShippingMethodInput,
  type ShippingMethodWithZones,
  setZones,
  throwCodeTaken,
} from './shipping-method.ts'

/** Creates a shipping method. Throws `shipping_method.code_taken`, and 422 for an unknown tax class or geo zone. */
export async function createShippingMethod(
  tx: StoreTx,
  { geoZoneIds, ...fields }: ShippingMethodInput,
): Promise<ShippingMethodWithZones> {
  await assertTaxClass(tx, fields.taxClassId)
  const at = now()
  const { id } = await ShippingMethod.in(tx)
    .insert({ ...fields, createdAt: at, updatedAt: at })
    .catch(throwCodeTaken)
  await setZones(tx, id, geoZoneIds)
  return findShippingMethod(tx, id)
}
