import { AuthErrors } from '#shared/accounts/errors.ts'
import type { ErrorFactory } from '#shared/platform/errors.ts'
import type { StoreTx } from '#shared/platform/store-scope.ts'
import { refusalOf } from '#shared/staff/may.ts'
import type { Right } from '#shared/staff/roles.ts'
import type { Store } from '#shared/stores/store.ts'
import { StoreAccessErrors } from './errors.ts'

export interface Customer {
  id: string
  sessionId: string
}

export interface StaffMember {
  id: string
  sessionId: string
  role: string
  isOwner: boolean
}

export type Account =
  | { type: 'customer'; id: string; sessionId: string }
  | { type: 'staff'; id: string; sessionId: string }

/** Who may call an operation. `call` is what its handler is given for that, and exists in types only. */
export interface Access<C = unknown> {
  kind: 'open' | 'storefront' | 'guest' | 'customer' | 'staff' | 'account'
  rights: readonly Right[]
  /** Refusals that stand in the description of every operation with this access. */
  errors: readonly ErrorFactory[]
  call?: C
}

export interface InStore {
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

/** Anyone in a store. */
export const storefront: Access<InStore> = {
  kind: 'storefront',
  rights: [],
  errors: storeErrors,
}

const tokenErrors = [AuthErrors.notAuthenticated, AuthErrors.tokenExpired, AuthErrors.sessionRevoked] as const

/** Anyone in a store, signed in or not; `cartToken` is the X-Cart-Token header. */
export const guest: Access<InStore & { customer: Customer | null; cartToken: string | null }> = {
  kind: 'guest',
  rights: [],
  errors: [...storeErrors, ...tokenErrors],
}

/** A signed-in customer of the store. */
export const customer: Access<InStore & { customer: Customer }> = {
  kind: 'customer',
  rights: [],
  errors: [...storeErrors, ...tokenErrors],
}

/** A staff member of the token's store whose role holds every one of `rights`; none named: any staff member. */
export const staff = (...rights: Right[]): Access<InStore & { staff: StaffMember }> => ({
  kind: 'staff',
  rights,
  errors: [StoreAccessErrors.keyForbidden, ...tokenErrors, ...new Set(rights.map(refusalOf))],
})

/** Whoever is signed in: a customer of the store, or a staff member. */
export const account: Access<InStore & { account: Account }> = {
  kind: 'account',
  rights: [],
  errors: [...storeErrors, ...tokenErrors],
}
