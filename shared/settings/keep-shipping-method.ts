import { sqlState, UNIQUE_VIOLATION } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { assertTaxClass } from '#shared/tax/find-class.ts'
import { ShippingMethodErrors } from './errors.ts'
import { findShippingMethod, type WholeMethod } from './find-shipping-method.ts'
import { setZones } from './method-zones.ts'
import { ShippingMethod } from './shipping-method.ts'

type Field =
  | 'code'
  | 'nameI18n'
  | 'estimateI18n'
  | 'priceMinor'
  | 'freeFromMinor'
  | 'maxWeightGrams'
  | 'taxClassId'
  | 'position'
  | 'isActive'

export interface ShippingMethodDraft extends Pick<ShippingMethod, Field> {
  /** None: it goes everywhere. */
  geoZoneIds: string[]
}

export type ShippingMethodChanges = {
  [Name in keyof ShippingMethodDraft]?: ShippingMethodDraft[Name] | undefined
}

/** Makes a way to ship. Throws `shipping_method.code_taken`, and 422 for a tax class or geo zone that the store has not. */
export async function createShippingMethod(
  tx: StoreTx,
  { geoZoneIds, ...fields }: ShippingMethodDraft,
): Promise<WholeMethod> {
  await assertTaxClass(tx, fields.taxClassId)
  const at = now()
  const { id } = await ShippingMethod.in(tx)
    .insert({ ...fields, createdAt: at, updatedAt: at })
    .catch(codeTaken)
  await setZones(tx, id, geoZoneIds)
  return findShippingMethod(tx, id)
}

/** Changes a way to ship, for checkouts from then on. Throws 404, 412 `resource.changed`, and as above. */
export async function changeShippingMethod(
  tx: StoreTx,
  id: string,
  { geoZoneIds, ...fields }: ShippingMethodChanges,
  ifMatch: string | undefined,
): Promise<WholeMethod> {
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

/** Deletes a way to ship. Orders keep a copy of what theirs was. */
export async function deleteShippingMethod(tx: StoreTx, id: string): Promise<void> {
  if (!(await ShippingMethod.in(tx).deleteById(id))) throw CommonErrors.notFound()
}

function codeTaken(error: unknown): never {
  throw sqlState(error) === UNIQUE_VIOLATION ? ShippingMethodErrors.codeTaken() : error
}
