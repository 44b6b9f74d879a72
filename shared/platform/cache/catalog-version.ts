import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

// Every request reads the catalog version with the store. It is part of the key of each cached response.

/** Inserts the catalog version of a new store. */
export async function insertCatalogVersion({ knex, storeId }: StoreTx): Promise<void> {
  await knex('catalog_versions').insert({ store_id: storeId })
}

/** SQL: joins a row of stores to its catalog version `v.version`, which is null once a purge has deleted it. */
export const joinCatalogVersion = (store: string): string =>
  `left join catalog_versions v on v.store_id = ${store}.id`

const BUMP = `update catalog_versions set version = version + 1 where store_id = ${CURRENT_STORE}`

/**
 * Increments the store's catalog version in the message of the COMMIT, because every catalog write and stock change of
 * a store updates this row.
 */
export const bumpCatalogVersion = (tx: StoreTx): void => tx.withCommit(BUMP)
