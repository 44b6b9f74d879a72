import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { countryNames } from './countries.ts'
import { listClosedCountries, type StoreCountry } from './sold-countries.ts'

/** Lists all countries, sorted by their names in a language (BCP 47). */
export async function listCountries(tx: StoreTx, language: string): Promise<StoreCountry[]> {
  const closed = await listClosedCountries(tx)
  return [...countryNames(language).keys()].map((code) => ({ code, isSold: !closed.has(code) }))
}
