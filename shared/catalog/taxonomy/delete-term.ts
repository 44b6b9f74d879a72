import { CatalogErrors } from '#shared/catalog/errors.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { FOREIGN_KEY_VIOLATION, sqlState } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockTerm, type Taxonomy, type Term } from './taxonomy.ts'

/**
 * Deletes a term that is not in use, and removes it from deleted products. Throws `resource.not_found` and
 * `catalog.in_use`. Foreign keys decide whether it is in use, so a product that gets the term at the same time prevents
 * the deletion too.
 */
export async function deleteTerm<T extends Term>(
  tx: StoreTx,
  taxonomy: Taxonomy<T>,
  id: string,
): Promise<void> {
  await lockTerm(tx, taxonomy, id)
  await taxonomy.detachDeletedProducts(tx, id)
  try {
    await taxonomy.model.in(tx).deleteById(id)
  } catch (error) {
    throw sqlState(error) === FOREIGN_KEY_VIOLATION ? CatalogErrors.inUse() : error
  }
  bumpCatalogVersion(tx)
}
