import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { isCountry } from './countries.ts'
import { listClosedCountries, type StoreCountry } from './sold-countries.ts'

/** Returns a country by its ISO 3166-1 alpha-2 code. Throws `resource.not_found` for an unknown code. */
export async function findCountry(tx: StoreTx, code: string): Promise<StoreCountry> {
  if (!isCountry(code)) throw CommonErrors.notFound()
  const closed = await listClosedCountries(tx)
  return { code, isSold: !closed.has(code) }
}
