import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { lockGeoZone } from './find-geo-zone.ts'
import { GeoZone } from './geo-zone.ts'
import { type GeoZoneMember, setMembers } from './members.ts'

/** Replaces the places of a geo zone; doing it again changes nothing. Throws 404 `resource.not_found`, and 422. */
export async function replaceMembers(
  tx: StoreTx,
  geoZoneId: string,
  members: readonly GeoZoneMember[],
): Promise<void> {
  const zone = await lockGeoZone(tx, geoZoneId)
  await setMembers(tx, geoZoneId, members)
  await GeoZone.in(tx)
    .findById(geoZoneId)
    .patch({ updatedAt: nextUpdatedAt(zone) })
}
