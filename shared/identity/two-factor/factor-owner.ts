import type { Knex } from 'knex'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineSecrets, type Sealer } from '#shared/platform/secrets/secrets.ts'
import { type AccountName, rowsOf } from '../account.ts'
import type { AccountType } from '../sessions/access-token.ts'

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
  /** Seals the secret to its owner: moved to another's row, it does not open. */
  secret: Sealer
}

interface FactorRow {
  storeId: string
  accountType: AccountType
  accountId: string
}

export const factorSecrets = defineSecrets(
  'second factors of customers and staff',
  { scope: 'store', table: 'two_factor', columns: ['sealed_secret'] },
  ({ storeId, accountType, accountId }: FactorRow) => `two_factor ${storeId} ${accountType} ${accountId}`,
)

/** An account of the transaction's store. */
export const factorOwner = ({ knex, storeId }: StoreTx, account: AccountName): FactorOwner => ({
  knex,
  tables: { factors: 'two_factor', recoveryCodes: 'recovery_codes' },
  columns: { store_id: storeId, ...rowsOf(account) },
  secret: factorSecrets.of({ storeId, accountType: account.type, accountId: account.id }),
})
