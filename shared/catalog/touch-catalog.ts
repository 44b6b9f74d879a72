import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Raises the store's catalog version, which keys kept storefront answers. It runs as the last statement of the
 * transaction: every catalog write of a store wants this row, so it is locked as briefly as can be.
 */
export function touchCatalog(tx: StoreTx): void {
  tx.beforeCommit('catalog', () =>
    tx.knex('catalog_versions').where('store_id', tx.storeId).increment('version', 1),
  )
}
