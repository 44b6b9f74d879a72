import type { Recipient } from '#shared/mail/queue-mail.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { type Account, type IdentityTx, principalOf } from './principal.ts'

/** The owner of an account, as far as signing in is concerned. */
export interface AccountHolder<A extends Account = Account> extends Recipient {
  account: A
  passwordHash: string | null
  isActive: boolean
}

/** Finds the holder of an account; 404 `resource.not_found` when there is none. */
export const findHolder = async <A extends Account>(tx: IdentityTx, account: A): Promise<AccountHolder<A>> =>
  toHolder(account, await accountRow(tx, account).first())

/** As `findHolder`, and locks the account: nobody else changes it, or signs in to it, until the transaction ends. */
export const lockHolder = async <A extends Account>(tx: IdentityTx, account: A): Promise<AccountHolder<A>> =>
  toHolder(account, await accountRow(tx, account).forNoKeyUpdate().first())

/** As `lockHolder`, for a change of the e-mail address: a key of customers, so rows that refer to them wait too. */
export const lockHolderKey = async <A extends Account>(
  tx: IdentityTx,
  account: A,
): Promise<AccountHolder<A>> => toHolder(account, await accountRow(tx, account).forUpdate().first())

/** Whether the account exists and is not switched off. */
export async function isAccountActive(tx: IdentityTx, account: Account): Promise<boolean> {
  const row = await accountRow(tx, account).first('is_active')
  return row?.is_active === true
}

/** The row of an account in the table of its principal. */
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
  return { account, email, passwordHash, isActive, language }
}
