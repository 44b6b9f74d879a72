import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { newId } from '#shared/platform/db/id.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import { sqlState, UNIQUE_VIOLATION } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { lockTerm, type Taxonomy, type Term, type TermInput } from './taxonomy.ts'

/** Creates a term. Throws the taxonomy's `duplicateError`, and 422 for an invalid reference. */
export async function createTerm<T extends Term>(
  tx: StoreTx,
  store: Store,
  taxonomy: Taxonomy<T>,
  input: TermInput<T>,
): Promise<T> {
  const createdAt = now()
  const columns = await taxonomy.prepare(tx, store, input, null)
  const row = { ...columns, id: newId(), createdAt, updatedAt: createdAt }
  const term = await write(taxonomy.duplicateError, () => taxonomy.model.in(tx).insert(row).returning('*'))
  bumpCatalogVersion(tx)
  return term as T
}

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
  const after = await write(taxonomy.duplicateError, () =>
    taxonomy.model.in(tx).findById(id).patch(changed).returning('*').first(),
  )
  bumpCatalogVersion(tx)
  return after as T
}

async function write<R>(duplicateError: ErrorFactory, work: () => PromiseLike<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    throw sqlState(error) === UNIQUE_VIOLATION ? duplicateError() : error
  }
}
