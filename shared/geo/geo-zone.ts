import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { invalid } from '#shared/platform/validation.ts'

/** A set of places with the same shipping methods and tax rates. */
export class GeoZone extends StoreModel {
  static override tableName = 'geo_zones'

  declare name: string
  declare description: string
  declare createdAt: Date
  declare updatedAt: Date
}

/** Throws `resource.not_found`. */
export async function findGeoZone(tx: StoreTx, id: string): Promise<GeoZone> {
  const zone = await GeoZone.in(tx).findById(id)
  if (!zone) throw CommonErrors.notFound()
  return zone
}

/** Finds a geo zone and locks it against other changes. Throws `resource.not_found`. */
export async function lockGeoZone(tx: StoreTx, id: string): Promise<GeoZone> {
  const zone = await GeoZone.in(tx).findById(id).forNoKeyUpdate()
  if (!zone) throw CommonErrors.notFound()
  return zone
}

export const GEO_ZONES = new List({
  sorts: { name: 'name', created_at: 'created_at', updated_at: 'updated_at' },
  order: 'name',
  searches: 'Part of the name or the description',
  text: ['name', 'description'],
})

/** Returns a page of the store's geo zones, by default sorted by name. */
export const listGeoZones = (tx: StoreTx, filter: ListFilter) => GEO_ZONES.page(GeoZone.in(tx), filter)

/** Throws 422 for an unknown geo zone. Known geo zones cannot be deleted until the transaction ends. */
export async function assertGeoZones(tx: StoreTx, ids: readonly string[], loc: string[]): Promise<void> {
  if (ids.length === 0) return
  const found = await GeoZone.in(tx)
    .findByIds([...ids])
    .forKeyShare()
    .select('id')
  const known = new Set(found.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id.toLowerCase()))
  if (unknown !== undefined)
    throw invalid(loc, 'This store does not have this geo zone. Use the id of an existing one', unknown)
}
