import { assertGeoZones } from '#shared/geo/geo-zone.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import { sqlState, UNIQUE_VIOLATION } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { assertTaxClass } from '#shared/tax/tax-class.ts'
import { ShippingMethodErrors } from './errors.ts'
import {
  findShippingMethod,
  ShippingMethod,
  type ShippingMethodFields,
  type ShippingMethodWithZones,
} from './shipping-method.ts'

export interface ShippingMethodInput extends ShippingMethodFields {
  /** Empty: it delivers everywhere. */
  geoZoneIds: string[]
}

export type ShippingMethodChanges = {
  [Name in keyof ShippingMethodInput]?: ShippingMethodInput[Name] | undefined
}

/** Throws `shipping_method.code_taken`, and 422 for an unknown tax class or geo zone. */
export async function createShippingMethod(
  tx: StoreTx,
  { geoZoneIds, ...fields }: ShippingMethodInput,
): Promise<ShippingMethodWithZones> {
  await assertTaxClass(tx, fields.taxClassId)
  const at = now()
  const { id } = await ShippingMethod.in(tx)
    .insert({ ...fields, createdAt: at, updatedAt: at })
    .catch(codeTaken)
  await setZones(tx, id, geoZoneIds)
  return findShippingMethod(tx, id)
}

/** Changes a shipping method for later checkouts. Throws 404, 412 `resource.changed`, and as above. */
export async function changeShippingMethod(
  tx: StoreTx,
  id: string,
  { geoZoneIds, ...fields }: ShippingMethodChanges,
  ifMatch: string | undefined,
): Promise<ShippingMethodWithZones> {
  const before = await ShippingMethod.in(tx).findById(id).forNoKeyUpdate()
  if (!before) throw CommonErrors.notFound()
  assertUnchanged(before, ifMatch)
  await assertTaxClass(tx, fields.taxClassId)
  await ShippingMethod.in(tx)
    .findById(id)
    .patch({ ...fields, updatedAt: nextUpdatedAt(before) })
    .catch(codeTaken)
  if (geoZoneIds) await setZones(tx, id, geoZoneIds)
  return findShippingMethod(tx, id)
}

/** Deletes a shipping method. Orders keep a copy of theirs. */
export async function deleteShippingMethod(tx: StoreTx, id: string): Promise<void> {
  if (!(await ShippingMethod.in(tx).deleteById(id))) throw CommonErrors.notFound()
}

function codeTaken(error: unknown): never {
  throw sqlState(error) === UNIQUE_VIOLATION ? ShippingMethodErrors.codeTaken() : error
}

/** Replaces the geo zones of a shipping method. Throws 422 for an unknown one. */
async function setZones(tx: StoreTx, methodId: string, geoZoneIds: readonly string[]): Promise<void> {
  await assertGeoZones(tx, geoZoneIds, ['geo_zone_ids'])
  await tx
    .knex('shipping_method_zones')
    .where({ store_id: tx.storeId, shipping_method_id: methodId })
    .delete()
  if (geoZoneIds.length === 0) return
  await tx
    .knex('shipping_method_zones')
    .insert(geoZoneIds.map((id) => ({ store_id: tx.storeId, shipping_method_id: methodId, geo_zone_id: id })))
    .onConflict()
    .ignore()
}
