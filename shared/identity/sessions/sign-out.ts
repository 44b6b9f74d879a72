import type { Device } from '#shared/identity/device.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import type { Account, IdentityTx } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { now } from '#shared/platform/time/clock.ts'
import { closeSession, closeSessionsOfAccount } from './close-sessions.ts'
import type { RefreshToken } from './refresh-token.ts'
import { accountOf, findSessionOf, lockSessionOf } from './session.ts'

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
  await closeSessionsOfAccount(tx, account, 'logout_all')
  await recordSecurityEvent(tx, 'signed_out_everywhere', account, device)
}

/**
 * Returns the account of a refresh token that is valid, or was valid a minute ago. Throws `auth.session_revoked` and
 * `auth.refresh_token_invalid`.
 */
export async function findSignedInAccount(tx: IdentityTx, token: RefreshToken): Promise<Account> {
  // Do not lock the session here: `closeSessionsOfAccount` may lock the account, and accounts are always locked before
  // sessions.
  const { session, status } = await findSessionOf(tx, token)
  if (session.closed_at) throw AuthErrors.sessionRevoked()
  if (session.expires_at <= now() || status === 'reused') throw AuthErrors.refreshTokenInvalid()
  return accountOf(session)
}
