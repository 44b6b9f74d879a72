import { assertBelowLimit } from '#shared/platform/db/assert-below-limit.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { GeoErrors } from './errors.ts'
import { GeoZone } from './geo-zone.ts'
import { type GeoZoneMember, setMembers } from './geo-zone-members.ts'

export interface NewGeoZone {
  name: string
  description?: string | undefined
  members?: GeoZoneMember[] | undefined
}

// Each price, cart and checkout reads all zones around its place.
const MAX_ZONES = 500

/** Creates a geo zone with its members. Throws `geo_zone.limit_reached`, and 422 for a member with an unknown place. */
export async function createGeoZone(
  tx: StoreTx,
  { name, description = '', members = [] }: NewGeoZone,
): Promise<GeoZone> {
  await assertBelowLimit(tx, GeoZone.in(tx), MAX_ZONES, GeoErrors.zoneLimitReached)
  const at = now()
  const zone = await GeoZone.in(tx).insert({ name, description, createdAt: at, updatedAt: at })
  await setMembers(tx, zone.id, members)
  return zone
}
