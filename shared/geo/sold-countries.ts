import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { COUNTRIES } from './countries.ts'

/** SQL: whether the store sells to the country of a place (`placeJson` as jsonb). */
export const isSoldToSql = (place: string): string => `
  not exists (
    select from closed_countries
    where store_id = ${CURRENT_STORE} and country = ${place} ->> 'country')`

/** Returns the countries that the store does not sell to. */
export async function closedCountries(tx: StoreTx): Promise<Set<string>> {
  const closed = await tx.knex('closed_countries').where('store_id', tx.storeId).select('country')
  return new Set(closed.map(({ country }) => country))
}

/** Starts or stops selling to a country. */
export async function updateCountry(tx: StoreTx, country: string, isActive: boolean): Promise<void> {
  if (isActive) await tx.knex('closed_countries').where({ store_id: tx.storeId, country }).delete()
  else await close(tx, [country])
}

/** Sells to these countries only. */
export async function saveSoldCountries(tx: StoreTx, countries: readonly string[]): Promise<void> {
  await tx.knex('closed_countries').where('store_id', tx.storeId).delete()
  await close(
    tx,
    COUNTRIES.filter((country) => !countries.includes(country)),
  )
}

async function close(tx: StoreTx, countries: readonly string[]): Promise<void> {
  if (countries.length === 0) return
  await tx
    .knex('closed_countries')
    .insert(countries.map((country) => ({ store_id: tx.storeId, country })))
    .onConflict()
    .ignore()
}
