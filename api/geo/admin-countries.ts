import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { inQuery } from '#api/platform/input/request-part.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { findCountry } from '#shared/geo/find-country.ts'
import { listCountries as list } from '#shared/geo/list-countries.ts'
import { assertPlace } from '#shared/geo/place.ts'
import { replaceSoldCountries as replace } from '#shared/geo/replace-sold-countries.ts'
import { updateCountry as update } from '#shared/geo/update-country.ts'
import { CountryView, viewCountry, viewZones, ZoneView } from '#shared/geo/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { countryExample, zoneExample } from './examples.ts'
import { CountryParams, ReplaceSoldCountriesRequest, UpdateCountryRequest, ZonesQuery } from './schemas.ts'

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
    return (await list(tx, language)).map((country) => viewCountry(country, language))
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
    await replace(tx, countries)
    return (await list(tx, language)).map((country) => viewCountry(country, language))
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
    return viewCountry(await findCountry(tx, params.id), language)
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
    return viewCountry(await update(tx, params.id, { isSold: body.is_active }), language)
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
