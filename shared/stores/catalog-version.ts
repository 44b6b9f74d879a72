import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Raises the store's catalog version, which is part of the key of each cached storefront response. It runs as the last
 * statement of the transaction: every catalog write of a store updates this row, so its lock is short.
 */
export function bumpCatalogVersion(tx: StoreTx): void {
  tx.beforeCommit('catalog', () =>
    tx.knex('catalog_versions').where('store_id', tx.storeId).increment('version', 1),
  )
}
