import type { QueryBuilderType } from 'objection'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import type { Store } from '#shared/stores/store.ts'
import type { Term } from './term.ts'

/** What is said of a term: the fields of its model that staff write. */
export type TermInput<T extends Term> = Partial<Omit<T, keyof Term>>

/**
 * One sort of terms: all that tells it apart from the others. Listing, creating, changing and deleting are the same for
 * each (`find-terms.ts`, `save-term.ts`, `delete-term.ts`).
 */
export interface Taxonomy<T extends Term = Term> {
  model: (new () => T) & typeof Term
  /** The columns that lists stand by. */
  order: string[]
  /** Raised when another term of the store goes by the same name. */
  duplicateError: ErrorFactory
  /** Narrows a list to terms with `words` in a name. */
  filterByName(query: QueryBuilderType<T>, words: string): void
  /** What is written for what is said: checks references (422) and adds what follows. `before` is null for a new term. */
  prepare(tx: StoreTx, store: Store, said: TermInput<T>, before: T | null): Promise<TermInput<T>>
  /** Takes a term off deleted products, so that they do not keep it from being deleted. */
  detachDeletedProducts(tx: StoreTx, id: string): Promise<unknown>
}
