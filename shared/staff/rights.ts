import { AuthErrors } from '#shared/identity/errors.ts'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import { StaffErrors } from './errors.ts'

/** Areas of the admin API that a role may read or write. */
const AREAS = [
  'catalog',
  'sales',
  'customers',
  'content',
  'marketing',
  'reports',
  'tax',
  'users',
  'system',
] as const
export type Area = (typeof AREAS)[number]
export type Right = `${Area}:read` | `${Area}:write` | 'refund' | 'mark_paid'

const write = (...areas: Area[]): Right[] =>
  areas.flatMap((area): Right[] => [`${area}:read`, `${area}:write`])
const read = (...areas: Area[]): Right[] => areas.map((area): Right => `${area}:read`)

/** All rights. */
export const RIGHTS: readonly Right[] = [...write(...AREAS), 'refund', 'mark_paid']

/**
 * The rights to do what a customer does: an account shows and cancels orders, and changes subscriptions, whose charges
 * take the customer's card.
 */
export const ACTS_AS_CUSTOMER = [
  'customers:write',
  'sales:read',
  'sales:write',
] as const satisfies readonly Right[]

/**
 * The rights to open any customer's account: by an identity provider, or by the tokens in mails to customers. The
 * account of an affiliate also shows and changes payout details.
 */
export const OPENS_CUSTOMER_ACCOUNTS = [
  ...ACTS_AS_CUSTOMER,
  'reports:read',
  'reports:write',
] as const satisfies readonly Right[]

/** The rights of each preset role. */
export const PRESET_ROLES: Readonly<Record<string, readonly Right[]>> = {
  owner: RIGHTS,
  administrator: RIGHTS,
  catalog: write('catalog'),
  sales: [...write('sales', 'customers'), ...read('catalog')],
  accounting: [...read('customers', 'reports', 'tax'), ...write('sales'), 'refund', 'mark_paid'],
  support: [...write('sales', 'customers', 'content'), ...read('catalog')],
  marketing: [...write('marketing', 'content'), ...read('catalog', 'reports')],
  content: [...write('content'), ...read('catalog')],
  analyst: read('catalog', 'sales', 'customers', 'marketing', 'reports'),
}

/** The role of the store's only owner. It is transferred, never assigned. */
export const OWNER_ROLE = 'owner'

/** Whether a role is a preset. It looks up own properties only, because a store may name a role `constructor`. */
export const isPreset = (role: string): boolean => Object.hasOwn(PRESET_ROLES, role)

/** A staff member, API token or role with rights. */
export interface RightsHolder {
  rights: readonly Right[]
}

/**
 * Returns the rights of a role. `customRights` are the stored rights of a custom role. Rights that no longer exist are
 * ignored. An unknown role has no rights.
 */
export const rightsOf = (role: string, customRights: readonly string[] | null = null): readonly Right[] =>
  isPreset(role) ? (PRESET_ROLES[role] ?? []) : knownRights(customRights ?? [])

/** Returns the stored rights that still exist, in the sequence of `RIGHTS`. */
export const knownRights = (stored: readonly string[]): Right[] =>
  RIGHTS.filter((right) => stored.includes(right))

/** Whether a holder has all of these rights. */
export const holds = ({ rights }: RightsHolder, required: readonly Right[]): boolean =>
  required.every((right) => rights.includes(right))

/** Whether a holder has all rights, and so is an administrator. */
export const isAdmin = (holder: RightsHolder): boolean => holds(holder, RIGHTS)

/** Rights that move money have their own error codes. */
const REFUSALS: Partial<Record<Right, ErrorFactory>> = {
  refund: StaffErrors.refundForbidden,
  mark_paid: StaffErrors.paymentForbidden,
}

/** Returns the error for a missing right. */
export const refusalOf = (right: Right): ErrorFactory<{ right: string }> =>
  REFUSALS[right] ?? AuthErrors.forbidden

/** Throws the error of the first of these rights that the holder lacks. */
export function assertMay(holder: RightsHolder, ...rights: readonly Right[]): void {
  const missing = rights.find((right) => !holder.rights.includes(right))
  if (missing) throw refusalOf(missing)({ right: missing })
}
