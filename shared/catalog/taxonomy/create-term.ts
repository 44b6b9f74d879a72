import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import type { Taxonomy, Term, TermInput } from './taxonomy.ts'
import { writeTerm } from './taxonomy.ts'

/** Creates a term of a taxonomy. Throws the taxonomy's `duplicateError`, and 422 for an invalid reference. */
export async function createTerm<T extends Term>(
  tx: StoreTx,
  store: Store,
  taxonomy: Taxonomy<T>,
  input: TermInput<T>,
): Promise<T> {
  const createdAt = now()
  const columns = await taxonomy.prepare(tx, store, input, null)
  const row = { ...columns, id: newId(), createdAt, updatedAt: createdAt }
  const term = await writeTerm(taxonomy.duplicateError, () =>
    taxonomy.model.in(tx).insert(row).returning('*'),
  )
  bumpCatalogVersion(tx)
  return term as T
}
