import { type Static, Type } from 'typebox'
import { inQuery, invalidQuery } from '#api/platform/input/request-part.ts'
import { assertPlace, type Place } from '#shared/geo/place.ts'
import { Line, Shape } from '#shared/platform/http/schema.ts'
import type { Store } from '#shared/stores/store.ts'
import { Country, ZoneCode } from './schemas.ts'

/** The parameters of a place in a country. */
export const withinCountry = { zone: Type.Optional(ZoneCode), postcode: Type.Optional(Line(20)) }

/** The parameters of a place. Default: the store's own country. */
export const placeQuery = {
  country: Type.Optional({ ...Country, description: "ISO 3166-1 alpha-2. Default: the store's country" }),
  ...withinCountry,
}

const PlaceQuery = Shape(placeQuery)

/**
 * Returns the place of a query, else the store's own country; null when neither is known. Throws 422 for an unknown
 * place, and for a zone or postcode without a country.
 */
export function readPlace(
  { country: own }: Pick<Store, 'country'>,
  { country: requested, zone, postcode }: Static<typeof PlaceQuery>,
): Place | null {
  const country = requested ?? own
  if (country === null) {
    if (zone ?? postcode) throw invalidQuery('country', 'The country of the destination is missing')
    return null
  }
  const place = { country, zone, postcode }
  inQuery(() => assertPlace(place))
  return place
}
