import type { Knex } from 'knex'
import { lockName } from '#shared/platform/db/lock-name.ts'
import { foldCase } from '#shared/platform/text.ts'
import { type PrincipalType, principalOf } from './principal.ts'

/**
 * The form in which e-mail addresses are compared: case-folded, in NFKC (Unicode Standard Annex #15). Mail goes to the
 * address as its owner wrote it, never to this form.
 */
export const normalizeEmail = foldCase

/**
 * The scope in which an e-mail address belongs to one account: a store's customers, named by the store's id, or
 * `staff`, which is all staff and super-admins of the platform.
 */
export const emailScopeOf = (storeId: string | null, type: PrincipalType): string =>
  principalOf(type).emailScope === 'store' ? String(storeId) : 'staff'

/**
 * Whether mail to either address reaches one mailbox. Addresses that only compare the same need not: ｍike@ and mike@
 * may be two people, so a proof of one is no proof of the other.
 */
export const isSameMailbox = (one: string, other: string): boolean => caseless(one) === caseless(other)

const caseless = (email: string): string => email.normalize('NFC').toLowerCase()

/**
 * Locks an address among staff and super-admins until the transaction ends. Each of the two reads the other's table to
 * see whether the address is free, and would miss an uncommitted row there.
 */
export const lockStaffEmail = (knex: Knex, emailNormalized: string): Promise<void> =>
  lockName(knex, `staff_address ${emailNormalized}`)
