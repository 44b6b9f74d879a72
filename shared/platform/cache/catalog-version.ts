import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

// Every request reads the catalog version together with the store. The version is part of each cached response's key.

/** Inserts the catalog version of a new store. */
export async function insertCatalogVersion({ knex, storeId }: StoreTx): Promise<void> {
  await knex('catalog_versions').insert({ store_id: storeId })
}

/** SQL: joins a row of stores to its catalog version `v.version`, which is null once a purge has deleted it. */
export const joinCatalogVersion = (store: string): string =>
  `left join catalog_versions v on v.store_id = ${store}.id`

const BUMP = `update catalog_versions set version = version + 1 where store_id = ${CURRENT_STORE}`

/**
 * Increments the store's catalog version. The statement is sent with the COMMIT, so that the row, which every catalog
 * write and stock change of the store updates, is locked only briefly.
 */
export const bumpCatalogVersion = (tx: StoreTx): void => tx.withCommit(BUMP)
