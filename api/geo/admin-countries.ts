import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { inQuery } from '#api/platform/input/request-part.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { countryNames, isCountry } from '#shared/geo/countries.ts'
import { assertPlace } from '#shared/geo/place.ts'
import { replaceSoldCountries as replace } from '#shared/geo/replace-sold-countries.ts'
import { listClosedCountries } from '#shared/geo/sold-countries.ts'
import { updateCountry as update } from '#shared/geo/update-country.ts'
import { CountryView, viewCountry, viewZones, ZoneView } from '#shared/geo/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { countryExample, zoneExample } from './examples.ts'
import { CountryParams, ReplaceSoldCountriesRequest, UpdateCountryRequest, ZonesQuery } from './schemas.ts'

async function viewAll(tx: StoreTx, language: string) {
  const closed = await listClosedCountries(tx)
  return [...countryNames(language).keys()].map((country) => viewCountry(country, { closed, language }))
}

async function viewOne(tx: StoreTx, country: string, language: string) {
  if (!isCountry(country)) throw CommonErrors.notFound()
  return viewCountry(country, { closed: await listClosedCountries(tx), language })
}

export const listCountries = endpoint({
  method: 'get',
  path: '/admin/geo/countries',
  access: staff('tax:read'),
  summary: 'List all countries and whether the store sells to them',
  description:
    'ISO 3166-1, and `XK` for Kosovo; sorted by name in the caller’s language. A new store sells to all.',
  returns: [200, Type.Array(CountryView)],
  example: { data: [countryExample] },
  async handle({ tx, request: { language } }) {
    return viewAll(tx, language)
  },
})

export const replaceSoldCountries = endpoint({
  method: 'put',
  path: '/admin/geo/countries',
  access: staff('tax:write'),
  audit: { action: 'putAdminGeoCountries', resource: 'geo/countries' },
  summary: 'Replace the countries that the store sells to',
  body: ReplaceSoldCountriesRequest,
  returns: [200, Type.Array(CountryView)],
  example: { body: { countries: ['AT', 'DE'] }, data: [countryExample] },
  async handle({ tx, body: { countries }, request: { language } }) {
    for (const [index, country] of countries.entries()) assertPlace({ country }, 'countries', index)
    await replace(tx, countries)
    return viewAll(tx, language)
  },
})

export const readCountry = endpoint({
  method: 'get',
  path: '/admin/geo/countries/:id',
  access: staff('tax:read'),
  summary: 'Read a country by its ISO 3166-1 alpha-2 code',
  params: CountryParams,
  returns: [200, CountryView],
  errors: [CommonErrors.notFound],
  example: { data: countryExample },
  async handle({ tx, params, request: { language } }) {
    return viewOne(tx, params.id, language)
  },
})

export const updateCountry = endpoint({
  method: 'patch',
  path: '/admin/geo/countries/:id',
  access: staff('tax:write'),
  audit: { action: 'patchAdminGeoCountriesId', resource: 'geo/countries' },
  summary: 'Start or stop selling to a country',
  description: 'Existing orders do not change.',
  params: CountryParams,
  body: UpdateCountryRequest,
  returns: [200, CountryView],
  errors: [CommonErrors.notFound],
  example: { body: { is_active: false }, data: { ...countryExample, is_active: false } },
  async handle({ tx, params, body, request: { language } }) {
    if (!isCountry(params.id)) throw CommonErrors.notFound()
    await update(tx, params.id, body.is_active)
    return viewOne(tx, params.id, language)
  },
})

export const listZones = endpoint({
  method: 'get',
  path: '/admin/geo/zones',
  access: staff('tax:read'),
  summary: 'List the zones of a country: its ISO 3166-2 subdivisions',
  query: ZonesQuery,
  returns: [200, Type.Array(ZoneView)],
  example: { data: [zoneExample] },
  async handle({ query: { country } }) {
    inQuery(() => assertPlace({ country }))
    return viewZones(country)
  },
})
