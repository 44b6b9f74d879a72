import { type Static, Type } from 'typebox'
import { AuthErrors } from '#shared/identity/errors.ts'
import {
  type Account,
  type AccountType,
  type IdentityTx,
  rowsOf,
  tablesIn,
} from '#shared/identity/principal.ts'
import { readRowsInPieces } from '#shared/platform/db/read-in-pieces.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toText, toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { RefreshToken } from './refresh-token.ts'
import { type RefreshTokenStatus, statusOf, type TokenHistory } from './refresh-token-status.ts'

export type ClosedReason =
  | 'logout'
  | 'logout_all'
  | 'refresh_token_reused'
  | 'closed_in_list'
  | 'password_changed'
  | 'password_reset'
  | 'email_changed'
  | 'switched_off'
  | 'removed'
  | 'revoked'
  | 'provider_changed'
  | 'identity_unlinked'
  | 'store_deleted'

/** The stored row of a session: an account that is signed in on one device. */
export interface Session extends TokenHistory {
  id: string
  /** Undefined on the platform, where all accounts are super-admins. */
  account_type?: AccountType
  account_id: string
  ip: string | null
  user_agent: string | null
  created_at: Date
  /** The time at which the session was opened or last renewed. */
  last_used_at: Date
  /**
   * The time of the sign-in, or of the last renewal by password and second factor. Null in support sessions, and in
   * those from before rotation.
   */
  authenticated_at: Date | null
  /** The time at which the session ends if it is not used before. */
  expires_at: Date
  closed_at: Date | null
  closed_reason: ClosedReason | null
}

/** Returns a query of all sessions of the transaction's store, or of the platform. */
export const sessionsIn = (tx: IdentityTx) =>
  tx.knex(tablesIn(tx).sessions).where(tx.storeId ? { store_id: tx.storeId } : {})

/** Returns a query of an account's sessions that are neither closed nor expired. */
export const openSessionsOf = (tx: IdentityTx, account: Account) =>
  sessionsIn(tx).where(rowsOf(tx, account)).whereNull('closed_at').where('expires_at', '>', now())

/** Whether a super-admin's session is open, read in a transaction of a store. */
export const isSuperAdminSessionOpen = async ({ knex }: StoreTx, id: string): Promise<boolean> =>
  (await knex('super_admin_sessions').where({ id }).whereNull('closed_at').first('id')) !== undefined

/** SQL: whether the super-admin's session that opened the support session `s` is open. */
export const IS_OPENER_OPEN = `exists (
  select 1 from super_admin_sessions opener where opener.id = s.super_admin_session_id and opener.closed_at is null)`

/** Returns the account that a session belongs to. */
export const accountOf = (session: Session): Account => ({
  type: session.account_type ?? 'super_admin',
  id: session.account_id,
})

interface FoundSession {
  session: Session
  /** The relation of the refresh token to the session. */
  status: Exclude<RefreshTokenStatus, 'unknown'>
}

/** Finds the session of a refresh token. Throws `auth.refresh_token_invalid` for a token that is not genuine. */
export const findSessionOf = async (tx: IdentityTx, token: RefreshToken): Promise<FoundSession> =>
  toFound(await sessionsIn(tx).where('id', token.sessionId).first(), token)

/** Finds and locks the session of a refresh token. Throws like `findSessionOf`. */
export const lockSessionOf = async (tx: IdentityTx, token: RefreshToken): Promise<FoundSession> =>
  toFound(await sessionsIn(tx).where('id', token.sessionId).forNoKeyUpdate().first(), token)

function toFound(session: Session | undefined, token: RefreshToken): FoundSession {
  const status = session ? statusOf(session, token) : 'unknown'
  if (!session || status === 'unknown') throw AuthErrors.refreshTokenInvalid()
  return { session, status }
}

/** Nobody reads a longer list. "Sign out everywhere" also closes sessions that are not listed. */
const MAX_LISTED = 100

/** Returns at most a hundred open sessions of the account, the last used first. */
export const listSessions = async (tx: IdentityTx, account: Account): Promise<Session[]> =>
  openSessionsOf(tx, account).orderBy('last_used_at', 'desc').orderBy('id', 'desc').limit(MAX_LISTED)

/** Returns all stored sessions of an account, also closed ones, oldest first. There can be many thousands. */
export const listStoredSessions = (tx: IdentityTx, account: Account): Promise<Session[]> =>
  readRowsInPieces(sessionsIn(tx).where(rowsOf(tx, account)), ['id'])

export const SessionView = Shape({
  id: Uuid,
  current: Type.Boolean({ description: 'The session of this request' }),
  created_at: Timestamp,
  last_used_at: Timestamp,
  ip: Type.String(),
  user_agent: Type.String(),
})

/** Returns a session for its owner. `currentId` is the session of the request. */
export const viewSession = (session: Session, currentId: string): Static<typeof SessionView> => ({
  id: session.id,
  current: session.id === currentId,
  created_at: toTimestamp(session.created_at),
  last_used_at: toTimestamp(session.last_used_at),
  ip: toText(session.ip),
  user_agent: toText(session.user_agent),
})
