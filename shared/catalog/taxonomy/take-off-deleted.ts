import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Empties a column of deleted products that names a term. */
export const clearOnDeletedProducts =
  (column: 'manufacturer_id' | 'stock_status_id') =>
  (tx: StoreTx, id: string): Promise<unknown> =>
    tx
      .knex('products')
      .where({ store_id: tx.storeId, [column]: id })
      .whereNotNull('deleted_at')
      .update({ [column]: null })
