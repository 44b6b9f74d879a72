import type { Device } from '#shared/identity/device.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { type Account, type IdentityTx, principalOf, rowsOf } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { RefreshToken } from './refresh-token.ts'
import {
  accountOf,
  type ClosedReason,
  findSessionOf,
  lockSessionOf,
  openSessionsOf,
  sessionsIn,
} from './session.ts'

/** Closes a session. After the commit its tokens get 401 `auth.session_revoked`. A closed session stays as it is. */
export async function closeSession(tx: IdentityTx, sessionId: string, reason: ClosedReason): Promise<void> {
  await unclosed(tx).where('id', sessionId).update(closedBy(reason))
}

/** Closes every session of an account, but not the session `except`. */
export async function closeAllSessions(
  tx: IdentityTx,
  account: Account,
  reason: ClosedReason,
  { except }: { except?: string | undefined } = {},
): Promise<void> {
  await principalOf(account.type).beforeSignOutEverywhere?.(tx, account.id)
  const sessions = unclosed(tx).where(rowsOf(tx, account))
  if (except) sessions.whereNot('id', except)
  await sessions.update(closedBy(reason))
}

/** Closes every session of a store's customers and staff, or of all super-admins. Returns their number. */
export const closeEverySession = async (tx: IdentityTx, reason: ClosedReason): Promise<number> =>
  unclosed(tx).update(closedBy(reason))

/** Signs everyone out of a store that is deleted or restored. Returns the number of closed sessions. */
export const signOutEveryone = (tx: IdentityTx): Promise<number> => closeEverySession(tx, 'store_deleted')

/** Closes one of the account's open sessions. Throws 404 `resource.not_found` for any other. */
export async function closeListedSession(
  tx: IdentityTx,
  account: Account,
  id: string,
  device: Device,
): Promise<void> {
  const closed = await openSessionsOf(tx, account).where({ id }).update(closedBy('closed_in_list'))
  if (!closed) throw CommonErrors.notFound()
  await recordSecurityEvent(tx, 'session_closed', account, device, { sessionId: id })
}

/**
 * Closes the session of a refresh token. An old token works too, and a closed session stays closed. Throws
 * `auth.refresh_token_invalid` for a token that is not genuine.
 */
export async function signOut(tx: IdentityTx, token: RefreshToken): Promise<void> {
  const { session } = await lockSessionOf(tx, token)
  await closeSession(tx, session.id, 'logout')
}

/** Closes all sessions of the token's account. The token must be one that `findSignedInAccount` accepts. */
export async function signOutEverywhere(tx: IdentityTx, token: RefreshToken, device: Device): Promise<void> {
  const account = await findSignedInAccount(tx, token)
  await closeAllSessions(tx, account, 'logout_all')
  await recordSecurityEvent(tx, 'signed_out_everywhere', account, device)
}

/**
 * Returns the account of a refresh token that is valid, or was valid a minute ago. Throws `auth.session_revoked` and
 * `auth.refresh_token_invalid`.
 */
export async function findSignedInAccount(tx: IdentityTx, token: RefreshToken): Promise<Account> {
  // Do not lock the session here: `closeAllSessions` may lock the account, and accounts are always locked before
  // sessions.
  const { session, status } = await findSessionOf(tx, token)
  if (session.closed_at) throw AuthErrors.sessionRevoked()
  if (session.expires_at <= now() || status === 'reused') throw AuthErrors.refreshTokenInvalid()
  return accountOf(session)
}

const unclosed = (tx: IdentityTx) => sessionsIn(tx).whereNull('closed_at')

const closedBy = (reason: ClosedReason) => ({ closed_at: now(), closed_reason: reason })
