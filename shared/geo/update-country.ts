import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { isCountry } from './countries.ts'
import { closeCountries, type StoreCountry } from './sold-countries.ts'

/** Starts or stops selling to a country. Throws `resource.not_found` for an unknown code. */
export async function updateCountry(
  tx: StoreTx,
  code: string,
  { isSold }: Pick<StoreCountry, 'isSold'>,
): Promise<StoreCountry> {
  if (!isCountry(code)) throw CommonErrors.notFound()
  if (isSold) await tx.knex('closed_countries').where({ store_id: tx.storeId, country: code }).delete()
  else await closeCountries(tx, [code])
  return { code, isSold }
}
