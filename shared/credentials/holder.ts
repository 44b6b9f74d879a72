import { Customer } from '#shared/customers/customer.ts'
import type { AccountName } from '#shared/identity/account.ts'
import type { Recipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'

/** Whoever holds an account, customer or staff. */
export interface Holder extends Recipient {
  account: AccountName
  passwordHash: string | null
  isActive: boolean
}

/** Finds an account's holder; 404 `resource.not_found` when there is none. */
export const findHolder = async (tx: StoreTx, account: AccountName): Promise<Holder> =>
  toHolder(account, await byId(tx, account))

/** As `findHolder`, and keeps others from changing or signing in to the account until the transaction ends. */
export const lockHolder = async (tx: StoreTx, account: AccountName): Promise<Holder> =>
  toHolder(account, await byId(tx, account).forNoKeyUpdate())

/** The same in full, for who is to get another address: it is a key of customers, and what refers to them waits. */
export const lockMovingHolder = async (tx: StoreTx, account: AccountName): Promise<Holder> =>
  toHolder(account, await byId(tx, account).forUpdate())

const byId = (tx: StoreTx, { type, id }: AccountName) =>
  type === 'customer' ? Customer.in(tx).findById(id) : StaffMember.in(tx).findById(id)

function toHolder(account: AccountName, row: Customer | StaffMember | undefined): Holder {
  if (!row) throw CommonErrors.notFound()
  const { email, passwordHash, isActive } = row
  return { account, email, passwordHash, isActive, language: row instanceof Customer ? row.language : null }
}
