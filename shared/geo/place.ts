import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type Fault, invalid, ValidationError } from '#shared/platform/validation.ts'
import { isCountry, isZoneOf, zoneWithParents } from './countries.ts'

/** A place for shipping and tax: ISO 3166-1 alpha-2, ISO 3166-2, and a postcode in any spelling. */
export interface Place {
  country: string
  zone?: string | undefined
  postcode?: string | undefined
}

/** Returns the faults of a place: an unknown country, or a zone of another country. `loc` is the place's field path. */
export function placeFaults({ country, zone }: Place, loc: Fault['loc']): Fault[] {
  if (!isCountry(country))
    return invalid([...loc, 'country'], 'Unknown country. Use a code of ISO 3166-1 such as DE', country)
      .faults
  if (zone !== undefined && !isZoneOf(zone, country))
    return invalid([...loc, 'zone'], `${country} does not have this zone. Use a code of ISO 3166-2`, zone)
      .faults
  return []
}

/** Throws 422 for an unknown country, or a zone of another country. */
export function assertPlace(place: Place, ...loc: Fault['loc']): void {
  const faults = placeFaults(place, loc)
  if (faults.length) throw new ValidationError(faults)
}

/** Returns a postcode for comparison: upper case, without spaces. */
export const normalizePostcode = (postcode: string): string => postcode.toUpperCase().replace(/\s+/g, '')

/**
 * Returns a place as JSON for SQL: its country, its zone with all zones that contain it, and the postcodes that a
 * member of a geo zone has if it contains the place.
 */
export const placeJson = ({ country, zone, postcode = '' }: Place): string =>
  JSON.stringify({
    country,
    zones: zone === undefined ? [] : zoneWithParents(zone),
    postcodes: matchingPostcodes(normalizePostcode(postcode)),
  })

/**
 * Returns the postcodes of members that match a normalized postcode: the empty one, which matches any, the postcode
 * itself, and each of its prefixes followed by `*`. An index finds members by these. A comparison with the patterns of
 * all members would take a second for a store with many.
 */
function matchingPostcodes(postcode: string): string[] {
  // Split by characters, not by UTF-16 units: half of a surrogate pair is no text in PostgreSQL.
  const letters = [...postcode]
  const prefixes = letters.map((_, last) => letters.slice(0, last + 1).join(''))
  return ['', postcode, ...prefixes.map((prefix) => `${prefix}*`)]
}

/**
 * SQL: the geo zones that contain a place (`place` is `placeJson` as jsonb), with the specificity of the match: 3 by
 * postcode, 2 by zone, 1 by country.
 */
export const zonesContainingSql = (place: string): string => `
  select m.geo_zone_id as id, max(case when m.postcode <> '' then 3 when m.zone <> '' then 2 else 1 end) as specificity
  from geo_zone_members m
  where m.store_id = ${CURRENT_STORE} and m.country = ${place} ->> 'country'
    and (m.zone = '' or ${place} -> 'zones' ? m.zone)
    and m.postcode = any (array(select jsonb_array_elements_text(${place} -> 'postcodes')))
  group by m.geo_zone_id`

const ZONES_CONTAINING: Statement = {
  name: 'zones_containing',
  text: `${zonesContainingSql('$1::jsonb')} order by m.geo_zone_id`,
}

/** A geo zone that contains a place, with the specificity of the match. */
export interface ContainingZone {
  id: string
  specificity: number
}

/** Returns the geo zones that contain a place, by id. Tax and shipping depend on them. */
export const findZonesContaining = (tx: StoreTx, place: Place): Promise<ContainingZone[]> =>
  tx.prepared<ContainingZone>(ZONES_CONTAINING, [placeJson(place)])
