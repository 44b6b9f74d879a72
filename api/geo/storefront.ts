import { Type } from 'typebox'
import { storefront } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { listClosedCountries } from '#shared/geo/sold-countries.ts'
import { SoldCountryView, viewSoldCountries } from '#shared/geo/view.ts'
import { zoneExample } from './examples.ts'
import { SoldCountriesQuery } from './schemas.ts'

export const listSoldCountries = endpoint({
  method: 'get',
  path: '/settings/countries',
  access: storefront,
  summary: 'List the countries that the store sells to',
  description:
    "Sorted by name in the caller's language. With `country` only that one, with its zones; an empty list when the " +
    'store does not sell to it.',
  query: SoldCountriesQuery,
  returns: [200, Type.Array(SoldCountryView)],
  example: { data: [{ code: 'DE', name: 'Germany', zones: [zoneExample] }] },
  async handle({ tx, query, request: { language } }) {
    return viewSoldCountries(await listClosedCountries(tx), language, query.country)
  },
})
