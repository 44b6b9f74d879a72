import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { TaxRate } from '#shared/tax/tax-rate.ts'

/** Deletes a tax rate. Orders keep their taxes. */
export async function deleteTaxRate(tx: StoreTx, id: string): Promise<void> {
  if (!(await TaxRate.in(tx).deleteById(id))) throw CommonErrors.notFound()
  bumpCatalogVersion(tx)
}
