import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CustomerHeader } from '#shared/customers/import/columns.ts'
import { readCustomerAddress } from '#shared/customers/import/read-customer-address.ts'
import { CellReader } from '#shared/imports/file/cell-reader.ts'

const columns = ['address_1', 'address_city', 'address_postcode', 'address_country'] as const
const header: CustomerHeader = {
  format: 'own',
  at: Object.fromEntries(columns.map((column, index) => [column, index])),
  names: [...columns],
  ignored: [],
}
const countryOf = (country: string) => {
  const file = { header, currency: 'EUR', decimalComma: false }
  return readCustomerAddress(new CellReader(['Main Street 1', 'Town', '12345', country], 2, file), 'de')
    ?.country
}

test('a country is read by its code, or by its name in English or the language of the store', () => {
  assert.deepEqual(['de', 'Deutschland', 'AUSTRIA', 'österreich', 'Atlantis'].map(countryOf), [
    ...['DE', 'DE', 'AT', 'AT', undefined],
  ])
})
