import { assertGeoZones } from '#shared/geo/find-geo-zone.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** The geo zones that ways to ship go to, by the method's id; one without any goes everywhere. */
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

/** Has a way to ship go to these geo zones and no others. Throws 422 for one that the store has not. */
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
