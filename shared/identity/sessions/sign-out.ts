import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { AccountName } from '../account.ts'
import { AuthErrors } from '../errors.ts'
import { recordSecurityEvent } from '../security-event.ts'
import { closeAllSessions, closeSession } from './close-sessions.ts'
import type { RefreshToken } from './refresh-token.ts'
import { standingOf } from './refresh-token-status.ts'
import { type Device, Session } from './session.ts'

/**
 * Closes the session that a refresh token belongs to; an old token does as well, and a closed session stays closed.
 * Throws `auth.refresh_token_invalid` for a token that is not genuine.
 */
export async function signOut(tx: StoreTx, token: RefreshToken): Promise<void> {
  const session = await genuineSession(tx, token)
  await closeSession(tx, session.id, 'logout')
}

/** Closes all sessions of the token's account. It takes a token that could still be exchanged, or just could. */
export async function signOutEverywhere(tx: StoreTx, token: RefreshToken, device: Device): Promise<void> {
  const account = await whoseSessions(tx, token)
  await closeAllSessions(tx, account, 'logout_all')
  await recordSecurityEvent(tx, 'signed_out_everywhere', account, device)
}

/** Whose sessions a token closes all of, or why it doesn't. */
export async function whoseSessions(tx: StoreTx, token: RefreshToken): Promise<AccountName> {
  const session = await genuineSession(tx, token)
  if (session.closedAt) throw AuthErrors.sessionRevoked()
  if (session.expiresAt <= now() || standingOf(session, token) === 'stale')
    throw AuthErrors.refreshTokenInvalid()
  return { type: session.accountType, id: session.accountId }
}

async function genuineSession(tx: StoreTx, token: RefreshToken): Promise<Session> {
  const session = await Session.in(tx).findById(token.sessionId).forNoKeyUpdate()
  if (!session || standingOf(session, token) === 'unknown') throw AuthErrors.refreshTokenInvalid()
  return session
}
