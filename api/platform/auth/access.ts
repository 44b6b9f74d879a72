import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors, type ErrorFactory } from '#shared/platform/errors.ts'
import { ApiTokenErrors } from '#shared/staff/api-tokens/errors.ts'
import { refusalOf } from '#shared/staff/may.ts'
import type { Right } from '#shared/staff/roles.ts'
import type { Store } from '#shared/stores/store.ts'
import { StoreAccessErrors } from '../output/errors.ts'

export interface Customer {
  id: string
  sessionId: string
}

/** A member of the staff who signed in. */
export interface StaffMember {
  type: 'staff'
  id: string
  /** How records of what was done name who did it. */
  name: `staff:${string}`
  sessionId: string
  role: string
  isOwner: boolean
  /** A super-admin, who signed in to help. */
  isSupport: boolean
  rights: readonly Right[]
}

/** A program that a store's staff gave a token with rights of its own. */
export interface ApiToken {
  type: 'api_token'
  id: string
  name: `api_token:${string}`
  rights: readonly Right[]
}

export type Account =
  | { type: 'customer'; id: string; sessionId: string }
  | { type: 'staff'; id: string; sessionId: string }

/** Who may call an operation. `call` is what its handler is given for that, and exists in types only. */
export interface Access<C = unknown> {
  kind: 'open' | 'storefront' | 'guest' | 'customer' | 'staff' | 'account' | 'super_admin'
  rights: readonly Right[]
  /** Takes a staff member's own session alone, no API token. */
  personal?: boolean
  /** About one store, which the path parameter `id` names. */
  ofStore?: boolean
  /** Refusals that stand in the description of every operation with this access. */
  errors: readonly ErrorFactory[]
  call?: C
}

export interface StoreContext {
  store: Store
  tx: StoreTx
}

const storeErrors = [
  StoreAccessErrors.required,
  StoreAccessErrors.keyInvalid,
  StoreAccessErrors.originNotAllowed,
] as const

/** Anyone; a store may or may not be named, but one that is must be available. The handler opens its own transactions. */
export const open: Access<{ store: Store | null }> = {
  kind: 'open',
  rights: [],
  errors: [StoreAccessErrors.keyInvalid, StoreAccessErrors.originNotAllowed, AuthErrors.tenantUnavailable],
}

/** The same below `/super-admin`, where a publishable key is refused whoever calls. */
export const openToSuperAdmins: Access<{ store: Store | null }> = {
  ...open,
  errors: [StoreAccessErrors.keyForbidden, ...open.errors],
}

/** Anyone in a store. */
export const storefront: Access<StoreContext> = {
  kind: 'storefront',
  rights: [],
  errors: storeErrors,
}

/** What those are told who are no person of the store. */
const inPersonErrors = [ApiTokenErrors.forbidden, AuthErrors.supportForbidden] as const

const tokenErrors = [AuthErrors.notAuthenticated, AuthErrors.tokenExpired, AuthErrors.sessionRevoked] as const

/** Anyone in a store, signed in or not; `cartToken` is the X-Cart-Token header. */
export const guest: Access<StoreContext & { customer: Customer | null; cartToken: string | null }> = {
  kind: 'guest',
  rights: [],
  errors: [...storeErrors, ...tokenErrors],
}

/** A signed-in customer of the store. */
export const customer: Access<StoreContext & { customer: Customer }> = {
  kind: 'customer',
  rights: [],
  errors: [...storeErrors, ...tokenErrors],
}

/** A staff member of the token's store, or an API token, that holds every one of `rights`; none named: any at all. */
export const staff = (...rights: Right[]): Access<StoreContext & { staff: StaffMember | ApiToken }> => ({
  kind: 'staff',
  rights,
  errors: [StoreAccessErrors.keyForbidden, ...tokenErrors, ...new Set(rights.map(refusalOf))],
})

/** The same, but in person: users, roles, tokens and credentials are no program's business (interface document, 5.3). */
export const staffInPerson = (...rights: Right[]): Access<StoreContext & { staff: StaffMember }> => {
  const { kind, errors } = staff(...rights)
  return { kind, rights, personal: true, errors: [...errors, ...inPersonErrors] }
}

/** Whoever is signed in: a customer of the store, or a staff member in person. */
export const account: Access<StoreContext & { account: Account }> = {
  kind: 'account',
  rights: [],
  personal: true,
  errors: [...storeErrors, ...tokenErrors, ...inPersonErrors],
}

/** Someone who runs the platform. */
export interface SuperAdmin {
  type: 'super_admin'
  id: string
  email: string
  sessionId: string
}

/** A super-admin; the handler opens its own transactions. */
export const superAdmin: Access<{ superAdmin: SuperAdmin }> = {
  kind: 'super_admin',
  rights: [],
  errors: [StoreAccessErrors.keyForbidden, ...tokenErrors],
}

/** A super-admin, about the store that the path parameter `id` names, whatever its status. */
export const superAdminOfStore: Access<StoreContext & { superAdmin: SuperAdmin }> = {
  kind: 'super_admin',
  rights: [],
  ofStore: true,
  errors: [...superAdmin.errors, CommonErrors.notFound],
}
