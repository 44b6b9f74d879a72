import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { GeoZone } from './geo-zone.ts'
import { type GeoZoneMember, setMembers } from './members.ts'

export interface GeoZoneDraft {
  name: string
  description?: string | undefined
  members?: GeoZoneMember[] | undefined
}

/** Makes a geo zone. Throws 422 for a member that is no place. */
export async function createGeoZone(
  tx: StoreTx,
  { name, description = '', members = [] }: GeoZoneDraft,
): Promise<GeoZone> {
  const at = now()
  const zone = await GeoZone.in(tx).insert({ name, description, createdAt: at, updatedAt: at })
  await setMembers(tx, zone.id, members)
  return zone
}
