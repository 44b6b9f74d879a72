import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
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
  return assertFound(await GeoZone.in(tx).findById(id))
}

/** Finds a geo zone and locks it against other changes. Throws `resource.not_found`. */
export async function lockGeoZone(tx: StoreTx, id: string): Promise<GeoZone> {
  return assertFound(await GeoZone.in(tx).findById(id).forNoKeyUpdate())
}

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
