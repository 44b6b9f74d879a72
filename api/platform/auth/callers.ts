import type { StoreAccount } from '#shared/identity/principal.ts'
import type { Right } from '#shared/staff/rights.ts'

/** A signed-in customer of a store. */
export interface CustomerCaller {
  id: string
  sessionId: string
}

/** A signed-in staff member. */
export interface StaffCaller {
  type: 'staff'
  id: string
  /** The name in audit entries, histories and rate limits. */
  name: `staff:${string}`
  sessionId: string
  role: string
  isOwner: boolean
  /** Whether this is a super-admin in a support session of the store. */
  isSupport: boolean
  /** Whether the store's owner allows support sessions to make changes now. */
  supportMayWrite: boolean
  /** Whether the member signed in, or proved the password again, within the last hour. */
  isSignInRecent: boolean
  rights: readonly Right[]
}

/** A program with an API token and its own rights. */
export interface ApiTokenCaller {
  type: 'api_token'
  id: string
  /** The member of the staff who created it. */
  createdBy: string
  name: `api_token:${string}`
  rights: readonly Right[]
}

/** A caller that acts for a store by its rights: a staff member, or a program with an API token. */
export type StaffOrApiToken = StaffCaller | ApiTokenCaller

/** Returns the id of the staff member, or of the one who created the API token. */
export const memberIdOf = (caller: StaffOrApiToken): string =>
  caller.type === 'api_token' ? caller.createdBy : caller.id

/** The caller of an operation, if its access allows staff members or API tokens. */
export interface OptionalStaff {
  staff?: StaffOrApiToken
}

export type AccountCaller =
  | { type: 'customer'; id: string; sessionId: string }
  | { type: 'staff'; id: string; sessionId: string }

/** A super-admin, who runs the platform. */
export interface SuperAdminCaller {
  type: 'super_admin'
  id: string
  email: string
  sessionId: string
  /** Whether the super-admin signed in, or proved the password again, within the last hour. */
  isSignInRecent: boolean
}

/** The possible callers in a handler's argument. At most one is set. */
export interface Callers extends OptionalStaff {
  superAdmin?: SuperAdminCaller
  /** The account of someone who changes their own account. With a mailed link it has no session. */
  account?: StoreAccount & { sessionId: string | null }
}

/** A caller whose changes are written to the audit log. */
export type AuditedCaller = NonNullable<Callers['staff' | 'superAdmin' | 'account']>

/** Returns the caller if it is staff or a super-admin; undefined for customers and anonymous callers. */
export const callerOf = ({ staff, superAdmin, account }: Callers): AuditedCaller | undefined =>
  superAdmin ?? staff ?? (account?.type === 'staff' ? account : undefined)
