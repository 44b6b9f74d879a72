import { CreateProductRequest } from '#api/catalog/schemas.ts'
import { CreateGeoZoneRequest } from '#api/geo/schemas.ts'
import { scanJson } from '#api/platform/input/json-scan.ts'
import { rejectHostileJson } from '#api/platform/input/text.ts'
import { faultsOf, prepareCheck } from '#api/platform/input/validate.ts'
import { placeFaults } from '#shared/geo/place.ts'
import { BODY, list, ofText, reader } from './reader.ts'

const productCheck = prepareCheck('body', CreateProductRequest)
const zoneCheck = prepareCheck('body', CreateGeoZoneRequest)
const PRODUCT = { name_i18n: { en: 'Cup' }, price: 1 }

export const BODIES = [
  ...ofText('the bytes of a body', BODY, ['a', '"', '\\', '1,'], (text) => scanJson()(Buffer.from(text))),
  reader({
    name: 'the values of a body',
    most: 100_000,
    make: (size) => list(size - 10, () => 'a'),
    read: rejectHostileJson,
  }),
  reader({
    name: 'the schema of a product with variants',
    most: 1_000,
    make: (size) => ({
      ...PRODUCT,
      variants: list(size, (n) => ({ sku: `S${n}`, option_values: { Size: `${n}` } })),
    }),
    read: (body) => faultsOf(productCheck, body),
  }),
  reader({
    name: 'the schema of a product with unknown fields',
    most: 20_000,
    make: (size) => ({ ...PRODUCT, ...Object.fromEntries(list(size, (n) => [`field${n}`, 1])) }),
    read: (body) => faultsOf(productCheck, body),
  }),
  reader({
    name: 'the schema of a geo zone',
    most: 2_000,
    make: (size) => ({ name: 'Zone', members: list(size, (n) => ({ country: 'DE', postcode: `${n}*` })) }),
    read: (body) => faultsOf(zoneCheck, body),
  }),
  reader({
    name: 'the places of a geo zone',
    most: 2_000,
    make: (size) => list(size, () => ({ country: 'GB', zone: 'GB-ZZZ' })),
    read: (members) => members.map((member, index) => placeFaults(member, ['members', index])),
  }),
]
