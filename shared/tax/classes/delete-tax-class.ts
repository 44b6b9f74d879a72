import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { FOREIGN_KEY_VIOLATION, sqlState } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { TaxErrors } from '#shared/tax/errors.ts'
import { TaxClass } from '#shared/tax/tax-class.ts'

/** Deletes a tax class. Throws `tax_class.in_use` if a foreign key refers to it, and `resource.not_found`. */
export async function deleteTaxClass(tx: StoreTx, id: string): Promise<void> {
  try {
    if (!(await TaxClass.in(tx).deleteById(id))) throw CommonErrors.notFound()
    bumpCatalogVersion(tx)
  } catch (error) {
    throw sqlState(error) === FOREIGN_KEY_VIOLATION ? TaxErrors.classInUse() : error
  }
}
