import type { Device } from '#shared/identity/device.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { isAccountActive } from '#shared/identity/holder.ts'
import { type IdentityTx, principalOf, rowsOf } from '#shared/identity/principal.ts'
import { recordSecurityEvent, SecurityEvent } from '#shared/identity/security-event.ts'
import type { CodedError } from '#shared/platform/errors.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { closeSession } from './close-sessions.ts'
import { expiryOf } from './open-session.ts'
import { makeRefreshToken, type RefreshToken, remakeRefreshToken } from './refresh-token.ts'
import { supersedingNow } from './refresh-token-status.ts'
import { accountOf, lockSessionOf, type Session, sessionsIn } from './session.ts'
import { makeTokenPair, type TokenPair } from './token-pair.ts'

/**
 * Exchanges a refresh token for a new pair. Throws `auth.refresh_token_invalid` and `auth.session_revoked`. Returns the
 * error of a reused token instead of throwing it, because its record must commit. The caller throws it after the
 * commit.
 */
export async function refreshSession(
  tx: IdentityTx,
  token: RefreshToken,
  device: Device,
): Promise<TokenPair | CodedError> {
  // Lock first: only one of many concurrent requests exchanges the token, and the others find it superseded.
  const { session, status } = await lockSessionOf(tx, token)
  await assertRenewable(tx, session)
  switch (status) {
    case 'current':
      return advance(tx, session, device)
    case 'predecessor':
      return repeat(tx, session)
    case 'superseded':
      throw AuthErrors.refreshTokenInvalid()
    case 'reused':
      return refuseReuse(tx, session, device)
  }
}

async function assertRenewable(tx: IdentityTx, session: Session): Promise<void> {
  if (session.closed_at || !(await isAccountActive(tx, accountOf(session)))) throw AuthErrors.sessionRevoked()
  if (session.expires_at <= now()) throw AuthErrors.refreshTokenInvalid()
}

async function advance(tx: IdentityTx, session: Session, { ip, userAgent }: Device): Promise<TokenPair> {
  const generation = session.generation + 1
  const refreshToken = makeRefreshToken({ storeId: tx.storeId, sessionId: session.id, generation })
  await sessionsIn(tx)
    .where('id', session.id)
    .update({
      generation,
      token_hash: sha256(refreshToken),
      predecessor_hash: session.token_hash,
      superseded_at: supersedingNow(session.superseded_at),
      last_used_at: now(),
      expires_at: expiryOf(accountOf(session), session.created_at),
      ip,
      user_agent: userAgent,
    })
  return makeTokenPair(tx, accountOf(session), session.id, refreshToken)
}

/** Returns the same successor again. It is computed from its name, because only its hash is stored. */
function repeat(tx: IdentityTx, session: Session): TokenPair {
  const name = { storeId: tx.storeId, sessionId: session.id, generation: session.generation }
  const refreshToken = remakeRefreshToken(name, session.token_hash)
  if (!refreshToken) throw AuthErrors.refreshTokenInvalid()
  return makeTokenPair(tx, accountOf(session), session.id, refreshToken)
}

/**
 * Refuses a token that its owner or a thief presented too late. It closes the session of staff and super-admins. A
 * customer's session stays open.
 */
async function refuseReuse(tx: IdentityTx, session: Session, device: Device): Promise<CodedError> {
  await recordReuse(tx, session, device)
  if (!principalOf(accountOf(session).type).closesReusedSession) return AuthErrors.refreshTokenInvalid()
  await closeSession(tx, session.id, 'refresh_token_reused')
  return AuthErrors.refreshTokenReused()
}

// Record it only once an hour: a program that repeats the token would hide all other events from the owner.
async function recordReuse(tx: IdentityTx, session: Session, device: Device): Promise<void> {
  if (!tx.storeId) return
  const kind = 'refresh_token_reused'
  const account = accountOf(session)
  const [last] = await SecurityEvent.in(tx)
    .where({ ...rowsOf(tx, account), kind, session_id: session.id })
    .where('created_at', '>', inMs(-HOUR_MS))
    .limit(1)
  if (!last) await recordSecurityEvent(tx, kind, account, device, { sessionId: session.id })
}
