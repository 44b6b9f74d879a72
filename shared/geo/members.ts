import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ValidationError } from '#shared/platform/validation.ts'
import { placeFaults, plainPostcode } from './place.ts'

/** A place of a geo zone: a country, or a part of one. `postcode` may end in `*`, which stands for whatever follows. */
export interface GeoZoneMember {
  country: string
  zone?: string | null | undefined
  postcode?: string | null | undefined
}

interface MemberRow {
  country: string
  /** '' stands for any. */
  zone: string
  postcode: string
}

/** The places of a geo zone, in alphabetical order. */
export const listMembers = (tx: StoreTx, geoZoneId: string): Promise<MemberRow[]> =>
  tx
    .knex('geo_zone_members')
    .where({ store_id: tx.storeId, geo_zone_id: geoZoneId })
    .orderBy(['country', 'zone', 'postcode'])
    .select('country', 'zone', 'postcode')

/** Gives a geo zone these places and no others. Throws 422 for one that there is not. */
export async function setMembers(
  tx: StoreTx,
  geoZoneId: string,
  members: readonly GeoZoneMember[],
): Promise<void> {
  const faults = members.flatMap(({ country, zone }, index) =>
    placeFaults({ country, zone: zone ?? undefined }, ['members', index]),
  )
  if (faults.length) throw new ValidationError(faults)
  const geoZone = { store_id: tx.storeId, geo_zone_id: geoZoneId }
  await tx.knex('geo_zone_members').where(geoZone).delete()
  if (members.length === 0) return
  await tx
    .knex('geo_zone_members')
    .insert(members.map((member) => ({ ...geoZone, ...toRow(member) })))
    .onConflict()
    .ignore()
}

const toRow = ({ country, zone, postcode }: GeoZoneMember): MemberRow => ({
  country,
  zone: zone ?? '',
  postcode: plainPostcode(postcode ?? ''),
})
