import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { closeCountries } from './sold-countries.ts'

/** Starts or stops selling to a country. */
export async function updateCountry(tx: StoreTx, country: string, isActive: boolean): Promise<void> {
  if (isActive) await tx.knex('closed_countries').where({ store_id: tx.storeId, country }).delete()
  else await closeCountries(tx, [country])
}
