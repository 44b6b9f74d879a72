import { newId } from '#shared/platform/db/id.ts'
import { codeOf, UNIQUE_VIOLATION } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bumpCatalogVersion } from '#shared/stores/catalog-version.ts'
import type { Store } from '#shared/stores/store.ts'
import { lockTerm } from './find-terms.ts'
import type { Taxonomy, TermInput } from './taxonomy.ts'
import type { Term } from './term.ts'

/** Adds a term. Throws the taxonomy's "taken", and 422 for what it does not fit to. */
export async function createTerm<T extends Term>(
  tx: StoreTx,
  store: Store,
  taxonomy: Taxonomy<T>,
  input: TermInput<T>,
): Promise<T> {
  const at = now()
  const fields = await taxonomy.prepare(tx, store, input, null)
  const row = { ...fields, id: newId(), createdAt: at, updatedAt: at }
  const term = await write(taxonomy.duplicateError, () => taxonomy.model.in(tx).insert(row).returning('*'))
  bumpCatalogVersion(tx)
  return term as T
}

/**
 * Changes what is said of a term; the rest stays. Throws `resource.not_found`, `resource.changed` when `ifMatch` names
 * an earlier state, the taxonomy's "taken", and 422 for what it does not fit to.
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
  const fields = await taxonomy.prepare(tx, store, input, before)
  const changed = { ...fields, updatedAt: nextUpdatedAt(before) }
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
    throw codeOf(error) === UNIQUE_VIOLATION ? duplicateError() : error
  }
}
