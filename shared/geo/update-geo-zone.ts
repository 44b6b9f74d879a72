import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import type { NewGeoZone } from './create-geo-zone.ts'
import { GeoZone, lockGeoZone } from './geo-zone.ts'

/** Changes a geo zone's name or description. Throws `resource.not_found` and `resource.changed`. */
export async function updateGeoZone(
  tx: StoreTx,
  id: string,
  { name, description }: Partial<Pick<NewGeoZone, 'name' | 'description'>>,
  ifMatch: string | undefined,
): Promise<GeoZone> {
  const zone = await lockGeoZone(tx, id)
  assertUnchanged(zone, ifMatch)
  return GeoZone.in(tx).patchAndFetchById(id, { name, description, updatedAt: nextUpdatedAt(zone) })
}
