import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { assertTaxClass } from '#shared/tax/tax-class.ts'
import {
  findShippingMethod,
  ShippingMethod,
  type ShippingMethodInput,
  type ShippingMethodWithZones,
  setZones,
  throwCodeTaken,
} from './shipping-method.ts'

export type ShippingMethodChanges = {
  [Name in keyof ShippingMethodInput]?: ShippingMethodInput[Name] | undefined
}

/**
 * Changes a shipping method for later checkouts. Throws `resource.not_found`, `resource.changed`, and the errors of
 * `createShippingMethod`.
 */
export async function updateShippingMethod(
  tx: StoreTx,
  id: string,
  { geoZoneIds, ...fields }: ShippingMethodChanges,
  ifMatch: string | undefined,
): Promise<ShippingMethodWithZones> {
  const before = assertFound(await ShippingMethod.in(tx).findById(id).forNoKeyUpdate())
  assertUnchanged(before, ifMatch)
  await assertTaxClass(tx, fields.taxClassId)
  await ShippingMethod.in(tx)
    .findById(id)
    .patch({ ...fields, updatedAt: nextUpdatedAt(before) })
    .catch(throwCodeTaken)
  if (geoZoneIds) await setZones(tx, id, geoZoneIds)
  return findShippingMethod(tx, id)
}
