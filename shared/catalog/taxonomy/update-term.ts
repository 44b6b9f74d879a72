import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import type { Store } from '#shared/stores/store.ts'
import { lockTerm, type Taxonomy, type Term, type TermInput, writeTerm } from './taxonomy.ts'

/**
 * Updates the given fields of a term. Throws `resource.not_found`, `resource.changed` when `ifMatch` names an earlier
 * state, the taxonomy's `duplicateError`, and 422 for an invalid reference.
 */
export async function updateTerm<T extends Term>(
  tx: StoreTx,
  store: Store,
  taxonomy: Taxonomy<T>,
  id: string,
  { input, ifMatch }: { input: TermInput<T>; ifMatch: string | undefined },
): Promise<T> {
  const before = await lockTerm(tx, taxonomy, id)
  assertUnchanged(before, ifMatch)
  const columns = await taxonomy.prepare(tx, store, input, before)
  const changed = { ...columns, updatedAt: nextUpdatedAt(before) }
  const after = await writeTerm(taxonomy.duplicateError, () =>
    taxonomy.model.in(tx).findById(id).patch(changed).returning('*').first(),
  )
  bumpCatalogVersion(tx)
  return after as T
}
