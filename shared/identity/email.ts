import type { Knex } from 'knex'
import { lockName } from '#shared/platform/db/lock-name.ts'
import { foldCase } from '#shared/platform/text.ts'
import { invalid } from '#shared/platform/validation.ts'
import { type PrincipalType, principalOf } from './principal.ts'

/**
 * Returns the form in which e-mail addresses are compared: case-folded, in NFKC (Unicode Standard Annex #15). Send mail
 * to the address as its owner wrote it, never to this form.
 */
export const normalizeEmail = foldCase

/**
 * Returns the scope in which an e-mail address is unique. Customers: the id of their store. Staff and super-admins:
 * `staff`, which spans the platform.
 */
export const emailScopeOf = (storeId: string | null, type: PrincipalType): string =>
  principalOf(type).emailScope === 'store' ? String(storeId) : 'staff'

/**
 * Returns a form of an address that is equal for two addresses only if they certainly reach the same mailbox. Two
 * addresses with the same normalized form may belong to two people, e.g. ｍike@ and mike@, or faß.example and
 * fass.example. So a proof of the one is no proof of the other.
 */
export const mailboxOf = (email: string): string => email.normalize('NFC').toLowerCase()

/** Whether both addresses certainly reach the same mailbox, see `mailboxOf`. */
export const isSameMailbox = (one: string, other: string): boolean => mailboxOf(one) === mailboxOf(other)

/**
 * Throws 422 for a new address with characters that only look like others, e.g. full-width ones. It is compared as the
 * ordinary address, so nobody else could have that one, but mails to it reach another mailbox.
 */
export function assertPlainEmail(email: string): void {
  if (email.normalize('NFKC').toLowerCase() === mailboxOf(email)) return
  throw invalid(['email'], 'Write the address with ordinary characters, not e.g. full-width ones', email)
}

/**
 * Locks an address among staff and super-admins until the transaction ends. Both check the other's table for the
 * address, and would miss an uncommitted row without the lock.
 */
export const lockStaffEmail = (knex: Knex, emailNormalized: string): Promise<void> =>
  lockName(knex, `staff_address ${emailNormalized}`)
