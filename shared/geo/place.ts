import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { type Fault, invalid, ValidationError } from '#shared/platform/validation.ts'
import { isCountry, isZoneOf, zoneWithParents } from './countries.ts'

/** A place as far as shipping and tax ask for it: ISO 3166-1 alpha-2, ISO 3166-2, and a postcode as people write it. */
export interface Place {
  country: string
  zone?: string | undefined
  postcode?: string | undefined
}

/** What is wrong with a place: a country that there is not, a zone that is not in it. `loc` is where the place stands. */
export function placeFaults({ country, zone }: Place, loc: Fault['loc']): Fault[] {
  if (!isCountry(country))
    return invalid([...loc, 'country'], 'There is no such country (ISO 3166-1)', country).faults
  if (zone !== undefined && !isZoneOf(zone, country))
    return invalid([...loc, 'zone'], `${country} has no such zone (ISO 3166-2)`, zone).faults
  return []
}

/** Refuses (422) a place that there is not. */
export function assertPlace(place: Place, ...loc: Fault['loc']): void {
  const faults = placeFaults(place, loc)
  if (faults.length) throw new ValidationError(faults)
}

/** A postcode as it is compared: in capitals, without blanks. */
export const plainPostcode = (postcode: string): string => postcode.toUpperCase().replace(/\s+/g, '')

/** A place as SQL takes it: JSON with its country, its zone and all that this is a part of, and its postcode. */
export const placeJson = ({ country, zone, postcode = '' }: Place): string =>
  JSON.stringify({
    country,
    zones: zone === undefined ? [] : zoneWithParents(zone),
    postcode: plainPostcode(postcode),
  })

/**
 * SQL: the geo zones that take in a place (`place` is `placeJson` as jsonb), and how closely: by postcode 3, by zone 2,
 * as a whole country 1.
 */
export const zonesAround = (place: string): string => `
  select m.geo_zone_id as id, max(case when m.postcode <> '' then 3 when m.zone <> '' then 2 else 1 end) as closeness
  from geo_zone_members m
  where m.store_id = ${CURRENT_STORE} and m.country = ${place} ->> 'country'
    and (m.zone = '' or ${place} -> 'zones' ? m.zone)
    and (m.postcode = '' or ${place} ->> 'postcode' like replace(m.postcode, '*', '%'))
  group by m.geo_zone_id`
