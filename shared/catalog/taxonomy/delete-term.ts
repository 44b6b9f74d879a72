import { codeOf, FOREIGN_KEY_VIOLATION } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { bumpCatalogVersion } from '#shared/stores/catalog-version.ts'
import { CatalogErrors } from '../errors.ts'
import { lockTerm } from './find-terms.ts'
import type { Taxonomy } from './taxonomy.ts'
import type { Term } from './term.ts'

/**
 * Deletes a term that nothing uses; deleted products let go of it. Throws `resource.not_found` and `catalog.in_use`,
 * which the foreign keys see to: also when a product takes the term at the same time.
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
    throw codeOf(error) === FOREIGN_KEY_VIOLATION ? CatalogErrors.inUse() : error
  }
  bumpCatalogVersion(tx)
}
