import { foldCase } from '../platform/fold-case.ts'

/**
 * The form in which e-mail addresses are compared (decisions, section 3). Mail goes to the address as its owner wrote
 * it, never to this form.
 */
export const normalizeEmail = foldCase

/**
 * Whether mail to either address reaches one mailbox. Those that only compare the same need not: ｍike@ is somebody else
 * than mike@, so who proves the one has not proven the other.
 */
export const isSameMailbox = (one: string, other: string): boolean => caseless(one) === caseless(other)

const caseless = (email: string): string => email.normalize('NFC').toLowerCase()
