import { StoreAccessErrors } from '#api/platform/errors.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors, type DeclaredError } from '#shared/platform/errors.ts'
import { ApiTokenErrors } from '#shared/staff/errors.ts'
import { type Right, refusalOf } from '#shared/staff/rights.ts'
import type { Store } from '#shared/stores/store.ts'
import type {
  AccountCaller,
  CustomerCaller,
  StaffCaller,
  StaffOrApiToken,
  SuperAdminCaller,
} from './callers.ts'

/** The callers that an operation allows. `call` is the context that its handler gets; it exists in types only. */
export interface Access<C = unknown> {
  kind: 'open' | 'storefront' | 'guest' | 'customer' | 'staff' | 'account' | 'super_admin'
  rights: readonly Right[]
  /** Requires a staff member's own session, not an API token. */
  personal?: boolean
  /** Refuses support sessions, even with the owner's consent. */
  excludesSupport?: boolean
  /** The operation is about the store in the path parameter `id`. */
  ofStore?: boolean
  /** Errors of authentication, listed in the description of every operation with this access. */
  errors: readonly DeclaredError[]
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

/** The errors of API tokens and support sessions for operations that need a person of the store's staff. */
const inPersonErrors = [ApiTokenErrors.forbidden, AuthErrors.supportForbidden] as const

const tokenErrors = [AuthErrors.notAuthenticated, AuthErrors.tokenExpired, AuthErrors.sessionRevoked] as const

/** Anyone in a store, signed in or not. `cartToken` is the X-Cart-Token header. */
export const guest: Access<StoreContext & { customer: CustomerCaller | null; cartToken: string | null }> = {
  kind: 'guest',
  rights: [],
  errors: [...storeErrors, ...tokenErrors],
}

/** A signed-in customer of the store. */
export const customer: Access<StoreContext & { customer: CustomerCaller }> = {
  kind: 'customer',
  rights: [],
  errors: [...storeErrors, ...tokenErrors],
}

const staffErrors = (rights: readonly Right[]): readonly DeclaredError[] => [
  StoreAccessErrors.keyForbidden,
  ...tokenErrors,
  ...new Set(rights.map(refusalOf)),
]

const isChange = (right: Right): boolean => !right.endsWith(':read')

/**
 * Allows a staff member or API token with all of `rights`, or any of them without `rights`. A support session can only
 * read, unless the store's owner allows changes.
 */
export const staff = (...rights: Right[]): Access<StoreContext & { staff: StaffOrApiToken }> => ({
  kind: 'staff',
  rights,
  errors: [...staffErrors(rights), ...(rights.some(isChange) ? [AuthErrors.supportReadOnly] : [])],
})

/**
 * Allows a staff member or API token, but no support session, because the result of the operation would outlast the
 * session.
 */
export const staffNotSupport = (...rights: Right[]): Access<StoreContext & { staff: StaffOrApiToken }> => ({
  kind: 'staff',
  rights,
  excludesSupport: true,
  errors: [...staffErrors(rights), AuthErrors.supportForbidden],
})

/** Allows a staff member with a session. API tokens cannot manage users, roles, tokens and credentials. */
export const staffInPerson = (...rights: Right[]): Access<StoreContext & { staff: StaffCaller }> => ({
  kind: 'staff',
  rights,
  personal: true,
  errors: [...staffErrors(rights), ...inPersonErrors],
})

/** A signed-in customer of the store, or a staff member with a session. */
export const account: Access<StoreContext & { account: AccountCaller }> = {
  kind: 'account',
  rights: [],
  personal: true,
  errors: [...storeErrors, ...tokenErrors, ...inPersonErrors],
}

/** A super-admin. The handler opens its own transactions. */
export const superAdmin: Access<{ superAdmin: SuperAdminCaller }> = {
  kind: 'super_admin',
  rights: [],
  errors: [StoreAccessErrors.keyForbidden, ...tokenErrors],
}

/** A super-admin, for the store in the path parameter `id`, whatever the store's status. */
export const superAdminOfStore: Access<StoreContext & { superAdmin: SuperAdminCaller }> = {
  kind: 'super_admin',
  rights: [],
  ofStore: true,
  errors: [...superAdmin.errors, CommonErrors.notFound],
}
