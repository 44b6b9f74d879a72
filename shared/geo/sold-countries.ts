import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** A country by its ISO 3166-1 alpha-2 code, and whether the store sells to it. */
export interface StoreCountry {
  code: string
  isSold: boolean
}

/** SQL: whether the store sells to the country of a place (SQL of a place as jsonb). */
export const isSoldToSql = (place: string): string => `
  not exists (
    select from closed_countries
    where store_id = ${CURRENT_STORE} and country = ${place} ->> 'country')`

/** Lists the countries that the store does not sell to. */
export async function listClosedCountries(tx: StoreTx): Promise<Set<string>> {
  const closed = await tx.knex('closed_countries').where('store_id', tx.storeId).select('country')
  return new Set(closed.map(({ country }) => country))
}

/** Stops selling to countries. */
export async function closeCountries(tx: StoreTx, countries: readonly string[]): Promise<void> {
  if (countries.length === 0) return
  await tx
    .knex('closed_countries')
    .insert(countries.map((country) => ({ store_id: tx.storeId, country })))
    .onConflict()
    .ignore()
}
