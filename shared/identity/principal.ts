import { NIL_ID } from '#shared/platform/db/id.ts'
import type { PlatformTx, StoreTx } from '#shared/platform/db/store-scope.ts'

export type PrincipalType = 'customer' | 'staff' | 'super_admin'

/** The principals whose accounts belong to a store. */
export type AccountType = Exclude<PrincipalType, 'super_admin'>

/** An account. Each type of principal has its own table. */
export interface Account<T extends PrincipalType = PrincipalType> {
  type: T
  id: string
}

export type StoreAccount = Account<AccountType>

/** The transaction of an account: of its store, or of the platform for a super-admin. */
export type IdentityTx = StoreTx | PlatformTx

/**
 * The audience of an access token. The platform does not accept tokens for stores, and stores do not accept tokens for
 * the platform.
 */
export type TokenAudience = 'commerce' | 'commerce-platform'

/** Describes a type of principal for sign-in. Its domain declares it by `definePrincipal`. */
export interface Principal {
  type: PrincipalType
  /** The table of its accounts. It has the columns `id`, `email`, `password_hash` and `is_active`. */
  table: string
  audience: TokenAudience
  accessTokenSeconds: number
  /** The time in ms after which an unused session ends. */
  idleMs: number
  /** Whether reuse of a refresh token after its grace period closes the session. */
  closesReusedSession: boolean
  /** The scope of unique e-mail addresses: one store, or all staff and super-admins of the platform. */
  emailScope: 'store' | 'staff'
  /** SQL that finds an account by its normalized e-mail address. */
  credentials: CredentialsSql
  sessionCheck: SessionCheckSql
  /** The check of a session that an account of this kind opened in a store, to support its staff. */
  supportCheck?: Omit<SessionCheckSql, 'columns'>
  /** Changes the e-mail address of an account to a proven one. Throws `auth.email_taken`. */
  setEmail?(tx: StoreTx, id: string, email: string): Promise<void>
  /** Whether another account has the normalized address. */
  isEmailTaken?(tx: StoreTx, emailNormalized: string): Promise<boolean>
  /**
   * Records that a mailed link proved the address. Returns true if another person may have used the account until then:
   * the account of a customer never had a proven address, or somebody else gave the address to a staff member.
   */
  markEmailVerified?(tx: StoreTx, id: string): Promise<boolean>
  /** Runs before all sessions of an account are closed. */
  beforeSignOutEverywhere?(tx: IdentityTx, id: string): Promise<unknown>
}

export interface CredentialsSql {
  /** Selects the store of the address $1 if no store is given. */
  store?: string
  /** Selects `store_id`, `id` and `password_hash` of the address $1. */
  account: string
}

/** SQL that checks the session `s` of each authenticated call. */
export interface SessionCheckSql {
  joins: string
  isActive: string
  /** Further columns that the caller of `checkSession` reads. */
  columns: string
}

const principals = new Map<string, Principal>()

/** Declares a type of principal. shared/all-principals.ts loads all of them. */
export function definePrincipal(principal: Principal): Principal {
  principals.set(principal.type, principal)
  return principal
}

export function principalOf(type: PrincipalType): Principal {
  const principal = principals.get(type)
  if (!principal) throw new Error(`No principal "${type}" is loaded: import shared/all-principals.ts`)
  return principal
}

/** Returns the principal of a token's type; undefined if tokens of the audience cannot have this type. */
export const principalIn = (audience: TokenAudience, type: unknown): Principal | undefined => {
  const principal = principals.get(String(type))
  return principal?.audience === audience ? principal : undefined
}

/** The id of no account and no store. A query with it finds nothing, in the same time as a query with a real id. */
export const NOBODY = NIL_ID

interface IdentityTables {
  sessions: string
  twoFactor: string
  recoveryCodes: string
}

/** The tables of identity in a store and on the platform. They differ only in the columns of `rowsOf`. */
export const IDENTITY_TABLES: Record<'store' | 'platform', IdentityTables> = {
  store: { sessions: 'sessions', twoFactor: 'two_factor', recoveryCodes: 'recovery_codes' },
  platform: {
    sessions: 'super_admin_sessions',
    twoFactor: 'super_admin_two_factor',
    recoveryCodes: 'super_admin_recovery_codes',
  },
}

export const tablesIn = ({ storeId }: { storeId: string | null }): IdentityTables =>
  IDENTITY_TABLES[storeId ? 'store' : 'platform']

/** Returns the columns that assign a row to an account. */
export const rowsOf = ({ storeId }: { storeId: string | null }, { type, id }: Account) =>
  storeId ? { store_id: storeId, account_type: type, account_id: id } : { account_id: id }
