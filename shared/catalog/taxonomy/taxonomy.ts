import type { List } from '#shared/platform/db/list.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { sqlState, UNIQUE_VIOLATION } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound, type ErrorFactory } from '#shared/platform/errors.ts'
import type { Store } from '#shared/stores/store.ts'

/** A row of a taxonomy: a category, a manufacturer, an attribute. */
export class Term extends StoreModel {
  declare createdAt: Date
  declare updatedAt: Date
}

/** The fields of a term that staff write. */
export type TermInput<T extends Term> = Partial<Omit<T, keyof Term>>

/** Describes one kind of terms. The same code lists, saves and deletes the terms of all kinds. */
export interface Taxonomy<T extends Term = Term> {
  model: (new () => T) & typeof Term
  list: List
  /** Thrown when another term of the store has the same name or slug. */
  duplicateError: ErrorFactory
  /**
   * Converts input to columns. Throws 422 for an invalid reference, and adds derived columns. `before` is null for a
   * new term.
   */
  prepare(tx: StoreTx, store: Store, input: TermInput<T>, before: T | null): Promise<TermInput<T>>
  /** Removes a term from deleted products, so that they do not prevent its deletion. */
  detachDeletedProducts(tx: StoreTx, id: string): Promise<unknown>
}

/** Finds a term. Throws `resource.not_found`. */
export async function findTerm<T extends Term>(tx: StoreTx, { model }: Taxonomy<T>, id: string): Promise<T> {
  const term = assertFound(await model.in(tx).findById(id))
  return term as T
}

/** Finds a term and locks its row until the transaction ends. Throws like `findTerm`. */
export async function lockTerm<T extends Term>(tx: StoreTx, { model }: Taxonomy<T>, id: string): Promise<T> {
  const term = assertFound(await model.in(tx).findById(id).forNoKeyUpdate())
  return term as T
}

/** Returns a function that clears a column of deleted products that refers to a term. */
export const clearOnDeletedProducts =
  (column: 'manufacturer_id' | 'stock_status_id') =>
  (tx: StoreTx, id: string): Promise<unknown> =>
    tx
      .knex('products')
      .where({ store_id: tx.storeId, [column]: id })
      .whereNotNull('deleted_at')
      .update({ [column]: null })

/** Returns the ids of the store's deleted products, for a `where … in`. */
export const deletedProductIds = (tx: StoreTx) =>
  tx.knex('products').where('store_id', tx.storeId).whereNotNull('deleted_at').select('id')

/** Runs an insert or update of a term. Throws `duplicateError` for a unique violation. */
export async function writeTerm<R>(duplicateError: ErrorFactory, work: () => PromiseLike<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    throw sqlState(error) === UNIQUE_VIOLATION ? duplicateError() : error
  }
}
