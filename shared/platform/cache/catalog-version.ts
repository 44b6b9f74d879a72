import type { StoreTx } from '#shared/platform/db/store-scope.ts'

// The catalog version is read with the store on every request. It is part of the key of each cached response.

/** Inserts the catalog version of a new store. */
export async function insertCatalogVersion({ knex, storeId }: StoreTx): Promise<void> {
  await knex('catalog_versions').insert({ store_id: storeId })
}

/** SQL: joins a row of stores to its catalog version `v.version`. */
export const joinCatalogVersion = (store: string): string =>
  `join catalog_versions v on v.store_id = ${store}.id`

/**
 * Raises the store's catalog version. It runs as the last statement of the transaction: every catalog write of a store
 * updates this row, so its lock is short.
 */
export function bumpCatalogVersion(tx: StoreTx): void {
  tx.beforeCommit('catalog', () =>
    tx.knex('catalog_versions').where('store_id', tx.storeId).increment('version', 1),
  )
}
