import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { GeoZone } from './geo-zone.ts'
import { type GeoZoneMember, setMembers } from './geo-zone-members.ts'

export interface NewGeoZone {
  name: string
  description?: string | undefined
  members?: GeoZoneMember[] | undefined
}

/** Creates a geo zone with its members. Throws 422 for a member with an unknown country or zone. */
export async function createGeoZone(
  tx: StoreTx,
  { name, description = '', members = [] }: NewGeoZone,
): Promise<GeoZone> {
  const at = now()
  const zone = await GeoZone.in(tx).insert({ name, description, createdAt: at, updatedAt: at })
  await setMembers(tx, zone.id, members)
  return zone
}
