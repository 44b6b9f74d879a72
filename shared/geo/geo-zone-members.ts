import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ValidationError } from '#shared/platform/validation.ts'
import { findGeoZone, GeoZone, lockGeoZone } from './geo-zone.ts'
import { normalizePostcode, placeFaults } from './place.ts'

/** A member of a geo zone: a country or a part of it. A `postcode` that ends in `*` matches by prefix. */
export interface GeoZoneMember {
  country: string
  zone?: string | null | undefined
  postcode?: string | null | undefined
}

interface MemberRow {
  country: string
  /** The zone; empty for any. */
  zone: string
  postcode: string
}

/** Lists the members of a geo zone in alphabetical order. Throws `resource.not_found`. */
export async function listMembers(tx: StoreTx, geoZoneId: string): Promise<MemberRow[]> {
  await findGeoZone(tx, geoZoneId)
  return tx
    .knex('geo_zone_members')
    .where({ store_id: tx.storeId, geo_zone_id: geoZoneId })
    .orderBy(['country', 'zone', 'postcode'])
    .select('country', 'zone', 'postcode')
}

/** Returns the ids of the geo zones that contain a part of a country: a zone, or postcodes. */
export const findZonesDividing = (tx: StoreTx, country: string): PromiseLike<string[]> =>
  tx
    .knex('geo_zone_members')
    .where({ store_id: tx.storeId, country })
    .where((part) => part.whereNot('zone', '').orWhereNot('postcode', ''))
    .distinct()
    .pluck('geo_zone_id')

/**
 * Replaces the members of a new or locked geo zone. This can change the tax in the catalog's prices. Throws 422 for an
 * unknown country or zone.
 */
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
  bumpCatalogVersion(tx)
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
  postcode: normalizePostcode(postcode ?? ''),
})

/** Locks a geo zone and replaces its members. Throws `resource.not_found`, and 422 for an unknown country or zone. */
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
