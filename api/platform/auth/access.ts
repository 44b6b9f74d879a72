import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors, type ErrorFactory } from '#shared/platform/errors.ts'
import { ApiTokenErrors } from '#shared/staff/errors.ts'
import { type Right, refusalOf } from '#shared/staff/rights.ts'
import type { Store } from '#shared/stores/store.ts'
import { StoreAccessErrors } from '../errors.ts'

export interface Customer {
  id: string
  sessionId: string
}

/** A signed-in staff member. */
export interface StaffMember {
  type: 'staff'
  id: string
  /** The name in audit entries, histories and rate limits. */
  name: `staff:${string}`
  sessionId: string
  role: string
  isOwner: boolean
  /** A super-admin on a support visit to the store. */
  isSupport: boolean
  /** The store's owner allows support sessions to make changes now. */
  supportMayWrite: boolean
  rights: readonly Right[]
}

/** A program with an API token and rights of its own. */
export interface ApiToken {
  type: 'api_token'
  id: string
  /** The member of the staff who created it. */
  createdBy: string
  name: `api_token:${string}`
  rights: readonly Right[]
}

export type Account =
  | { type: 'customer'; id: string; sessionId: string }
  | { type: 'staff'; id: string; sessionId: string }

/** The callers that an operation allows. `call` is the context that its handler gets; it exists in types only. */
export interface Access<C = unknown> {
  kind: 'open' | 'storefront' | 'guest' | 'customer' | 'staff' | 'account' | 'super_admin'
  rights: readonly Right[]
  /** Requires a staff member's own session, not an API token. */
  personal?: boolean
  /** Refuses support sessions, also with the owner's consent. */
  excludesSupport?: boolean
  /** The operation is about the store in the path parameter `id`. */
  ofStore?: boolean
  /** Errors of authentication, listed in the description of every operation with this access. */
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

/** Anyone, with or without a store. A named store must be available. The handler opens its own transactions. */
export const open: Access<{ store: Store | null }> = {
  kind: 'open',
  rights: [],
  errors: [StoreAccessErrors.keyInvalid, StoreAccessErrors.originNotAllowed, AuthErrors.tenantUnavailable],
}

/** Anyone below `/super-admin`, where every publishable key is refused. */
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

/** Errors for API tokens and support visits where a person of the store is required. */
const inPersonErrors = [ApiTokenErrors.forbidden, AuthErrors.supportForbidden] as const

const tokenErrors = [AuthErrors.notAuthenticated, AuthErrors.tokenExpired, AuthErrors.sessionRevoked] as const

/** Anyone in a store, signed in or not. `cartToken` is the X-Cart-Token header. */
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

const staffErrors = (rights: readonly Right[]): readonly ErrorFactory[] => [
  StoreAccessErrors.keyForbidden,
  ...tokenErrors,
  ...new Set(rights.map(refusalOf)),
]

const isChange = (right: Right): boolean => !right.endsWith(':read')

/**
 * A staff member or API token that has every one of `rights`. Without `rights`: any staff member or API token. A
 * support session only reads, unless the store's owner allows changes.
 */
export const staff = (...rights: Right[]): Access<StoreContext & { staff: StaffMember | ApiToken }> => ({
  kind: 'staff',
  rights,
  errors: [...staffErrors(rights), ...(rights.some(isChange) ? [AuthErrors.supportReadOnly] : [])],
})

/** A staff member or API token, but no support session: what the operation leaves behind would outlast the session. */
export const staffNotSupport = (
  ...rights: Right[]
): Access<StoreContext & { staff: StaffMember | ApiToken }> => ({
  kind: 'staff',
  rights,
  excludesSupport: true,
  errors: [...staffErrors(rights), AuthErrors.supportForbidden],
})

/** A staff member in person: API tokens cannot manage users, roles, tokens and credentials. */
export const staffInPerson = (...rights: Right[]): Access<StoreContext & { staff: StaffMember }> => ({
  kind: 'staff',
  rights,
  personal: true,
  errors: [...staffErrors(rights), ...inPersonErrors],
})

/** A signed-in customer of the store, or a staff member in person. */
export const account: Access<StoreContext & { account: Account }> = {
  kind: 'account',
  rights: [],
  personal: true,
  errors: [...storeErrors, ...tokenErrors, ...inPersonErrors],
}

/** A super-admin, who runs the platform. */
export interface SuperAdmin {
  type: 'super_admin'
  id: string
  email: string
  sessionId: string
}

/** A super-admin. The handler opens its own transactions. */
export const superAdmin: Access<{ superAdmin: SuperAdmin }> = {
  kind: 'super_admin',
  rights: [],
  errors: [StoreAccessErrors.keyForbidden, ...tokenErrors],
}

/** A super-admin, for the store in the path parameter `id`, whatever the store's status. */
export const superAdminOfStore: Access<StoreContext & { superAdmin: SuperAdmin }> = {
  kind: 'super_admin',
  rights: [],
  ofStore: true,
  errors: [...superAdmin.errors, CommonErrors.notFound],
}
