import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { StoreStatus } from './states.ts'

/** A store as those who run the platform look after it. */
export interface StoreRecord {
  id: string
  slug: string
  name: string
  email: string
  status: StoreStatus
  currency: string
  languages: string[]
  defaultLanguage: string
  country: string | null
  timeZone: string
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
  /** Once it is asked for there is no way back. */
  purgeRequestedAt: Date | null
}

export const RECORD_COLUMNS = {
  id: 'id',
  slug: 'slug',
  name: 'name',
  email: 'email',
  status: 'status',
  currency: 'currency',
  languages: 'languages',
  defaultLanguage: 'default_language',
  country: 'country',
  timeZone: 'time_zone',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  deletedAt: 'deleted_at',
  purgeRequestedAt: 'purge_requested_at',
}

/** The transaction's store. */
export const readStoreRecord = (tx: StoreTx): Promise<StoreRecord> =>
  tx.knex('stores').where('id', tx.storeId).first(RECORD_COLUMNS)

/**
 * The same, locked: what becomes of it is decided one after the other. In full, so that whoever is signing in is waited
 * for: when the store is deleted, they are signed out with all others.
 */
export const lockStoreRecord = (tx: StoreTx): Promise<StoreRecord> =>
  tx.knex('stores').where('id', tx.storeId).forUpdate().first(RECORD_COLUMNS)
