import type { Knex } from 'knex'
import type { StoreTx } from '../../platform/store-scope.ts'
import { type AccountName, rowsOf } from '../account-name.ts'

/**
 * Whose second factor is meant, and where it is kept: the accounts of stores and those who run the platform have
 * tables of their own, alike but for the columns that name the owner. Everything else about it is the same.
 */
export interface FactorOwner {
  /** The transaction: of the account's store, or of the platform. */
  knex: Knex
  tables: { factors: string; recoveryCodes: string }
  /** The columns that name the owner; together they are the key of `factors`. */
  columns: Readonly<Record<string, string>>
  /** Ties a sealed secret to its owner: moved to another's row, it does not open. */
  sealContext: string
}

/** An account of the transaction's store. */
export const factorOwner = ({ knex, storeId }: StoreTx, account: AccountName): FactorOwner => ({
  knex,
  tables: { factors: 'two_factor', recoveryCodes: 'recovery_codes' },
  columns: { store_id: storeId, ...rowsOf(account) },
  sealContext: `two_factor ${storeId} ${account.type} ${account.id}`,
})
