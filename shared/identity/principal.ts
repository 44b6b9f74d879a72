import type { PlatformTx, StoreTx } from '#shared/platform/db/store-scope.ts'

export type PrincipalType = 'customer' | 'staff' | 'super_admin'

/** The principals whose accounts belong to a store. */
export type AccountType = Exclude<PrincipalType, 'super_admin'>

/** An account: each type of principal has a table of its own. */
export interface Account<T extends PrincipalType = PrincipalType> {
  type: T
  id: string
}

export type StoreAccount = Account<AccountType>

/** A transaction in which an account is read and changed: of its store, or of the platform for a super-admin. */
export type IdentityTx = StoreTx | PlatformTx

/** The audience of an access token: a token for the stores is not accepted on the platform, nor the other way round. */
export type TokenAudience = 'commerce' | 'commerce-platform'

/** The description of a type of principal that signing in needs. Its domain declares it by `definePrincipal`. */
export interface Principal {
  type: PrincipalType
  /** The table of its accounts, with `id`, `email`, `password_hash` and `is_active`. */
  table: string
  audience: TokenAudience
  accessTokenSeconds: number
  /** How long a session lives without use. */
  idleMs: number
  /** Whether a refresh token that is used again after its grace period closes the session. */
  closesReusedSession: boolean
  /** Where an e-mail address is unique: in one store, or among staff and super-admins of the whole platform. */
  emailScope: 'store' | 'staff'
  /** SQL that finds an account by its normalized e-mail address. */
  credentials: CredentialsSql
  sessionCheck: SessionCheckSql
  /** Changes the e-mail address of an account to one that was proven. Throws `auth.email_taken`. */
  setEmail?(tx: StoreTx, id: string, email: string): Promise<void>
  /** Whether another account has the normalized address. */
  isEmailTaken?(tx: StoreTx, emailNormalized: string): Promise<boolean>
  /** Records that a mailed link proved the address; true for the first proof. */
  markEmailVerified?(tx: StoreTx, id: string): Promise<boolean>
  /** Runs before all sessions of an account are closed. */
  beforeSignOutEverywhere?(tx: IdentityTx, id: string): Promise<unknown>
}

export interface CredentialsSql {
  /** Selects the store of the address $1, where no store is given. */
  store?: string
  /** Selects `store_id`, `id` and `password_hash` of the address $1. */
  account: string
}

/** SQL of the check on each authenticated call, about a session `s`. */
export interface SessionCheckSql {
  joins: string
  isActive: string
  /** The columns that the caller of `checkSession` reads, too. */
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

/** The type that an access token names, if tokens of that audience can name it. */
export const principalIn = (audience: TokenAudience, type: unknown): Principal | undefined => {
  const principal = principals.get(String(type))
  return principal?.audience === audience ? principal : undefined
}

/** The id of no account, and of no store: a query for it takes as long as for any other, and finds nothing. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

interface IdentityTables {
  sessions: string
  twoFactor: string
  recoveryCodes: string
}

const STORE_TABLES = { sessions: 'sessions', twoFactor: 'two_factor', recoveryCodes: 'recovery_codes' }
const PLATFORM_TABLES = {
  sessions: 'super_admin_sessions',
  twoFactor: 'super_admin_two_factor',
  recoveryCodes: 'super_admin_recovery_codes',
}

/** The tables of identity in a store, or on the platform: the same columns but for those of `rowsOf`. */
export const tablesIn = ({ storeId }: { storeId: string | null }): IdentityTables =>
  storeId ? STORE_TABLES : PLATFORM_TABLES

/** The columns by which a row belongs to an account. */
export const rowsOf = ({ storeId }: { storeId: string | null }, { type, id }: Account) =>
  storeId ? { store_id: storeId, account_type: type, account_id: id } : { account_id: id }
