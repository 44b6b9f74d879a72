import type { Recipient } from '#shared/mail/queue-mail.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { type Account, type IdentityTx, principalOf } from './principal.ts'

/** The data of an account's owner that sign-in needs. */
export interface AccountHolder<A extends Account = Account> extends Recipient {
  account: A
  passwordHash: string | null
  isActive: boolean
}

/** Finds the holder of an account. Throws `resource.not_found` if there is none. */
export const findHolder = async <A extends Account>(tx: IdentityTx, account: A): Promise<AccountHolder<A>> =>
  toHolder(account, await accountRow(tx, account).first())

/**
 * Finds and locks the holder of an account. Until the transaction ends, nobody else changes the account or signs in to
 * it.
 */
export const lockHolder = async <A extends Account>(tx: IdentityTx, account: A): Promise<AccountHolder<A>> =>
  toHolder(account, await accountRow(tx, account).forNoKeyUpdate().first())

/**
 * Like `lockHolder`, for a change of the e-mail address. The address is a key of customers, so inserts that refer to
 * the customer wait too.
 */
export const lockHolderKey = async <A extends Account>(
  tx: IdentityTx,
  account: A,
): Promise<AccountHolder<A>> => toHolder(account, await accountRow(tx, account).forUpdate().first())

/** Whether the account exists and is active. */
export async function isAccountActive(tx: IdentityTx, account: Account): Promise<boolean> {
  const row = await accountRow(tx, account).first('is_active')
  return row?.is_active === true
}

/** Returns the row of an account in the table of its principal. */
export const accountRow = ({ knex, storeId }: IdentityTx, { type, id }: Account) =>
  knex(principalOf(type).table).where(storeId ? { store_id: storeId, id } : { id })

interface HolderRow {
  email: string
  password_hash: string | null
  is_active: boolean
  language?: string | null
}

function toHolder<A extends Account>(account: A, row: HolderRow | undefined): AccountHolder<A> {
  if (!row) throw CommonErrors.notFound()
  const { email, password_hash: passwordHash, is_active: isActive, language = null } = row
  return { account, recordId: account.id, email, passwordHash, isActive, language }
}
