import { foldCase } from '#shared/platform/text.ts'
import type { AccountType } from './sessions/access-token.ts'

/**
 * The form in which e-mail addresses are compared (decisions, section 3). Mail goes to the address as its owner wrote
 * it, never to this form.
 */
export const normalizeEmail = foldCase

/** All who run stores and the platform: no two of them have one address. */
export const STAFF = 'staff'

/** Among whom an address is one account's: a store's customers, named by its id, or `STAFF`. */
export const holdersOf = (storeId: string, type: AccountType): string =>
  type === 'customer' ? storeId : STAFF

/**
 * Whether mail to either address reaches one mailbox. Those that only compare the same need not: ｍike@ is somebody else
 * than mike@, so who proves the one has not proven the other.
 */
export const isSameMailbox = (one: string, other: string): boolean => caseless(one) === caseless(other)

const caseless = (email: string): string => email.normalize('NFC').toLowerCase()
