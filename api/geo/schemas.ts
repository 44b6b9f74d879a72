import { Type } from 'typebox'
import { Changes, Clearable, Line, Shape, Uuid } from '#shared/platform/http/schema.ts'

export const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' })
export const ZoneCode = Type.String({ pattern: '^[A-Z]{2}-[A-Z0-9]{1,3}$', description: 'ISO 3166-2' })

/** Any text is accepted, so that an unknown country returns 404. */
export const CountryParams = Shape({
  id: Type.String({ maxLength: 300, description: 'ISO 3166-1 alpha-2', example: 'DE' }),
})

export const UpdateCountryRequest = Shape({
  is_active: Type.Boolean({ description: 'Whether the store sells to it' }),
})

export const ReplaceSoldCountriesRequest = Shape({
  countries: Type.Array(Country, { maxItems: 300, description: 'The countries that the store sells to' }),
})

export const SoldCountriesQuery = Shape({
  country: Type.Optional({ ...Country, description: 'Only this country, with its zones' }),
})

export const ZonesQuery = Shape({ country: Country })

export const GeoZoneParams = Shape({ id: Uuid })

export const GeoZoneMemberRequest = Shape({
  country: Country,
  zone: Type.Optional({ ...Clearable(ZoneCode), description: 'ISO 3166-2; none: the whole country' }),
  postcode: Type.Optional(
    Clearable(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9 -]{0,18}\\*?$',
        description: 'A postcode, or a prefix such as `BT*`',
      }),
    ),
  ),
})

const Members = Type.Array(GeoZoneMemberRequest, { maxItems: 2_000 })

const Name = Line(200)
const Description = Type.String({ maxLength: 2_000 })

export const CreateGeoZoneRequest = Shape({
  name: Name,
  description: Type.Optional(Description),
  members: Type.Optional(Members),
})

export const UpdateGeoZoneRequest = Changes({ name: Name, description: Description })

export const ReplaceGeoZoneMembersRequest = Shape({ members: Members })
