import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { COUNTRIES } from './countries.ts'
import { assertPlace } from './place.ts'
import { closeCountries } from './sold-countries.ts'

/** Makes the store sell only to these countries. Throws 422 for an unknown one. */
export async function replaceSoldCountries(tx: StoreTx, countries: readonly string[]): Promise<void> {
  for (const [index, country] of countries.entries()) assertPlace({ country }, 'countries', index)
  await tx.knex('closed_countries').where('store_id', tx.storeId).delete()
  const others = COUNTRIES.filter((country) => !countries.includes(country))
  await closeCountries(tx, others)
}
