import { type Static, Type } from 'typebox'
import { Shape, Timestamp, toText, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import { now } from '#shared/platform/time/clock.ts'
import { AuthErrors } from '../errors.ts'
import { type Account, type AccountType, type IdentityTx, rowsOf, tablesIn } from '../principal.ts'
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
  | 'store_deleted'

/** An account signed in at one device, as its row is stored. */
export interface Session extends TokenHistory {
  id: string
  /** Absent on the platform, where all accounts are super-admins. */
  account_type?: AccountType
  account_id: string
  ip: string | null
  user_agent: string | null
  created_at: Date
  /** When it was opened or last renewed. */
  last_used_at: Date
  /** When it ends unless it is used before. */
  expires_at: Date
  closed_at: Date | null
  closed_reason: ClosedReason | null
}

/** All sessions of the transaction's store, or of the platform. */
export const sessionsIn = (tx: IdentityTx) =>
  tx.knex(tablesIn(tx).sessions).where(tx.storeId ? { store_id: tx.storeId } : {})

/** The sessions of an account that are neither closed nor expired. */
export const openSessionsOf = (tx: IdentityTx, account: Account) =>
  sessionsIn(tx).where(rowsOf(tx, account)).whereNull('closed_at').where('expires_at', '>', now())

/** The account that a session belongs to. */
export const accountOf = (session: Session): Account => ({
  type: session.account_type ?? 'super_admin',
  id: session.account_id,
})

interface FoundSession {
  session: Session
  /** The relation of the refresh token to it. */
  status: Exclude<RefreshTokenStatus, 'unknown'>
}

/** Finds the session of a refresh token. Throws `auth.refresh_token_invalid` for a token that is not genuine. */
export const findSessionOf = async (tx: IdentityTx, token: RefreshToken): Promise<FoundSession> =>
  toFound(await sessionsIn(tx).where('id', token.sessionId).first(), token)

/** As `findSessionOf`, and locks the session. */
export const lockSessionOf = async (tx: IdentityTx, token: RefreshToken): Promise<FoundSession> =>
  toFound(await sessionsIn(tx).where('id', token.sessionId).forNoKeyUpdate().first(), token)

function toFound(session: Session | undefined, token: RefreshToken): FoundSession {
  const status = session ? statusOf(session, token) : 'unknown'
  if (!session || status === 'unknown') throw AuthErrors.refreshTokenInvalid()
  return { session, status }
}

/** More than anybody reads through; "sign out everywhere" closes the rest too. */
const MAX_LISTED = 100

/** The account's open sessions, the last used first, at most a hundred. */
export const listSessions = async (tx: IdentityTx, account: Account): Promise<Session[]> =>
  openSessionsOf(tx, account).orderBy('last_used_at', 'desc').orderBy('id', 'desc').limit(MAX_LISTED)

/** All stored sessions of an account, closed ones too, oldest first. */
export const listStoredSessions = (tx: IdentityTx, account: Account): PromiseLike<Session[]> =>
  sessionsIn(tx).where(rowsOf(tx, account)).orderBy('created_at').orderBy('id')

export const SessionView = Shape({
  id: Uuid,
  current: Type.Boolean({ description: 'The session of this request' }),
  created_at: Timestamp,
  last_used_at: Timestamp,
  ip: Type.String(),
  user_agent: Type.String(),
})

/** A session as its owner sees it from the session `currentId`. */
export const viewSession = (session: Session, currentId: string): Static<typeof SessionView> => ({
  id: session.id,
  current: session.id === currentId,
  created_at: toTimestamp(session.created_at),
  last_used_at: toTimestamp(session.last_used_at),
  ip: toText(session.ip),
  user_agent: toText(session.user_agent),
})
