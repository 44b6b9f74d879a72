import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { alpha3Of, countryNames, type Zone, zonesOf } from './countries.ts'
import type { GeoZone } from './geo-zone.ts'
import type { StoreCountry } from './sold-countries.ts'

const CountryCode = Type.String({ description: 'ISO 3166-1 alpha-2' })
const Name = Type.String({ description: "In the caller's language" })

export const ZoneView = Shape({
  code: Type.String({ description: 'ISO 3166-2' }),
  name: Type.String({ description: 'As in the standard' }),
  parent: Type.String({ description: 'The zone that contains it' }),
})

const viewZone = ({ code, name, parent }: Zone): Static<typeof ZoneView> => ({
  code,
  name,
  parent: parent.includes('-') ? parent : '',
})

export const viewZones = (country: string): Static<typeof ZoneView>[] => zonesOf(country).map(viewZone)

export const SoldCountryView = Shape({
  code: CountryCode,
  name: Name,
  zones: Type.Optional(Type.Array(ZoneView, { description: 'Only with the `country` parameter' })),
})

/**
 * Returns the countries that the store sells to, sorted by name. With `requested` it returns only that country, with
 * its zones.
 */
export const viewSoldCountries = (
  closed: ReadonlySet<string>,
  language: string,
  requested?: string,
): Static<typeof SoldCountryView>[] =>
  [...countryNames(language)]
    .filter(([code]) => !closed.has(code) && (requested === undefined || requested === code))
    .map(([code, name]) => ({ code, name, ...(requested ? { zones: viewZones(code) } : {}) }))

export const CountryView = Shape({
  id: CountryCode,
  alpha_3: Type.String({ description: 'ISO 3166-1 alpha-3' }),
  name: Name,
  is_active: Type.Boolean({ description: 'Whether the store sells there' }),
})

/** Returns a country as staff see it. */
export const viewCountry = (
  { code, isSold }: StoreCountry,
  language: string,
): Static<typeof CountryView> => ({
  id: code,
  alpha_3: alpha3Of(code),
  name: countryNames(language).get(code) ?? code,
  is_active: isSold,
})

/** A geo zone. A separate list has its members. */
export const GeoZoneView = Shape({
  id: Uuid,
  name: Type.String(),
  description: Type.String(),
  created_at: Timestamp,
})

export const viewGeoZone = ({ id, name, description, createdAt }: GeoZone): Static<typeof GeoZoneView> => ({
  id,
  name,
  description,
  created_at: toTimestamp(createdAt),
})

export const GeoZoneMemberView = Shape({
  country: CountryCode,
  zone: Type.String({ description: 'ISO 3166-2; empty: the whole country' }),
  postcode: Type.String({ description: 'With a trailing `*`, a prefix; empty: any' }),
})

export const viewMember = (row: {
  country: string
  zone: string
  postcode: string
}): Static<typeof GeoZoneMemberView> => ({
  country: row.country,
  zone: row.zone,
  postcode: row.postcode,
})
