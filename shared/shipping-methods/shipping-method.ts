import { assertGeoZones } from '#shared/geo/geo-zone.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { sqlState, UNIQUE_VIOLATION } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { ShippingMethodErrors } from './errors.ts'

/** A shipping method of a store. Amounts are net, in minor units of the store's currency. */
export class ShippingMethod extends StoreModel {
  static override tableName = 'shipping_methods'
  static override jsonAttributes = ['nameI18n', 'estimateI18n']

  declare code: string
  declare nameI18n: Record<string, string>
  declare priceMinor: bigint
  /** Shipping is free if the goods cost at least this amount; never if null. */
  declare freeFromMinor: bigint | null
  /** The maximum weight of a cart; null for no limit. */
  declare maxWeightGrams: number | null
  /** Null for the store's default tax class. */
  declare taxClassId: string | null
  /** The delivery time as text. */
  declare estimateI18n: Record<string, string>
  declare position: number
  declare isActive: boolean
  declare createdAt: Date
  declare updatedAt: Date
}

/** The fields of a shipping method that buyers need. */
export type OfferedFields = Pick<
  ShippingMethod,
  'code' | 'nameI18n' | 'estimateI18n' | 'priceMinor' | 'freeFromMinor' | 'maxWeightGrams' | 'taxClassId'
>

/** The input of staff for a shipping method. */
export type ShippingMethodFields = OfferedFields & Pick<ShippingMethod, 'position' | 'isActive'>

/** A shipping method with the geo zones to which it delivers. Without geo zones it delivers everywhere. */
export interface ShippingMethodWithZones {
  method: ShippingMethod
  geoZoneIds: string[]
}

/** Finds a shipping method. Throws `resource.not_found`. */
export async function findShippingMethod(tx: StoreTx, id: string): Promise<ShippingMethodWithZones> {
  const method = assertFound(await ShippingMethod.in(tx).findById(id))
  const zones = await zonesOfMethods(tx, [method.id])
  return { method, geoZoneIds: zones.get(method.id) ?? [] }
}

/** Returns the ids of the geo zones of each shipping method. */
export async function zonesOfMethods(
  tx: StoreTx,
  methodIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows: { methodId: string; geoZoneId: string }[] = await tx
    .knex('shipping_method_zones')
    .where('store_id', tx.storeId)
    .whereIn('shipping_method_id', methodIds)
    .orderBy('geo_zone_id')
    .select({ methodId: 'shipping_method_id', geoZoneId: 'geo_zone_id' })
  const zones = new Map(methodIds.map((id): [string, string[]] => [id, []]))
  for (const { methodId, geoZoneId } of rows) zones.get(methodId)?.push(geoZoneId)
  return zones
}

export interface ShippingMethodInput extends ShippingMethodFields {
  /** Empty if it delivers everywhere. */
  geoZoneIds: string[]
}

/** Throws `shipping_method.code_taken` for a unique violation. Rethrows any other error. */
export function throwCodeTaken(error: unknown): never {
  throw sqlState(error) === UNIQUE_VIOLATION ? ShippingMethodErrors.codeTaken() : error
}

/** Replaces the geo zones of a shipping method. Throws 422 for an unknown geo zone. */
export async function setZones(tx: StoreTx, methodId: string, geoZoneIds: readonly string[]): Promise<void> {
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
