import { FOREIGN_KEY_VIOLATION, sqlState } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { GeoErrors } from './errors.ts'
import { GeoZone } from './geo-zone.ts'

/** Deletes a geo zone with its members. Throws `geo_zone.in_use` if a foreign key refers to it. */
export async function deleteGeoZone(tx: StoreTx, id: string): Promise<void> {
  try {
    if (!(await GeoZone.in(tx).deleteById(id))) throw CommonErrors.notFound()
  } catch (error) {
    throw sqlState(error) === FOREIGN_KEY_VIOLATION ? GeoErrors.zoneInUse() : error
  }
}
