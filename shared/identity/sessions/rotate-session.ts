import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { CodedError } from '#shared/platform/errors.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { HOUR_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { rowsOf } from '../account.ts'
import { AuthErrors } from '../errors.ts'
import { isAccountActive } from '../is-account-active.ts'
import { recordSecurityEvent, SecurityEvent } from '../security-event.ts'
import { closeSession } from './close-sessions.ts'
import { pairOf, type TokenPair } from './open-session.ts'
import { makeRefreshToken, type RefreshToken, remakeRefreshToken } from './refresh-token.ts'
import { standingOf, supersedingNow } from './refresh-token-status.ts'
import { type Device, Session } from './session.ts'
import { expiryOf } from './session-span.ts'

/**
 * Exchanges a refresh token for a new pair (decisions, section 3). Throws `auth.refresh_token_invalid` and
 * `auth.session_revoked`. A reused token's refusal is returned instead, for its record must commit: throw it then.
 */
export async function rotateSession(
  tx: StoreTx,
  token: RefreshToken,
  device: Device,
): Promise<TokenPair | CodedError> {
  // Lock first: of twenty who come with one token, one exchanges it and the rest find it superseded.
  const session = await Session.in(tx).findById(token.sessionId).forNoKeyUpdate()
  const standing = session ? standingOf(session, token) : 'unknown'
  if (!session || standing === 'unknown') throw AuthErrors.refreshTokenInvalid()
  await assertRenewable(tx, session)
  switch (standing) {
    case 'current':
      return advance(tx, session, device)
    case 'predecessor':
      return repeat(session)
    case 'recent':
      throw AuthErrors.refreshTokenInvalid()
    case 'stale':
      return refuseReuse(tx, session, device)
  }
}

async function assertRenewable(tx: StoreTx, session: Session): Promise<void> {
  const { accountType, accountId, closedAt, expiresAt } = session
  if (closedAt || !(await isAccountActive(tx, accountType, accountId))) throw AuthErrors.sessionRevoked()
  if (expiresAt <= now()) throw AuthErrors.refreshTokenInvalid()
}

async function advance(tx: StoreTx, session: Session, device: Device): Promise<TokenPair> {
  const generation = session.generation + 1
  const refreshToken = makeRefreshToken({ storeId: tx.storeId, sessionId: session.id, generation })
  await Session.in(tx)
    .findById(session.id)
    .patch({
      generation,
      tokenHash: sha256(refreshToken),
      predecessorHash: session.tokenHash,
      supersededAt: supersedingNow(session.supersededAt),
      lastUsedAt: now(),
      expiresAt: expiryOf(session.accountType, session.createdAt),
      ...device,
    })
  return pairOf(session, refreshToken)
}

/** The same successor once more, made again from its name: only its hash is kept. */
function repeat(session: Session): TokenPair {
  const { storeId, id: sessionId, generation, tokenHash } = session
  const refreshToken = remakeRefreshToken({ storeId, sessionId, generation }, tokenHash)
  if (!refreshToken) throw AuthErrors.refreshTokenInvalid()
  return pairOf(session, refreshToken)
}

/** Either its owner or a thief came too late with it. Staff sign in again; a customer is not thrown out for it. */
async function refuseReuse(tx: StoreTx, session: Session, device: Device): Promise<CodedError> {
  await recordReuse(tx, session, device)
  if (session.accountType === 'customer') return AuthErrors.refreshTokenInvalid()
  await closeSession(tx, session.id, 'refresh_token_reused')
  return AuthErrors.refreshTokenReused()
}

// Once an hour: a program that tries on and on would bury all that its owner should see.
async function recordReuse(tx: StoreTx, session: Session, device: Device): Promise<void> {
  const kind = 'refresh_token_reused'
  const { accountType: type, accountId: id, id: sessionId } = session
  const [last] = await SecurityEvent.in(tx)
    .where({ ...rowsOf({ type, id }), kind, session_id: sessionId })
    .where('created_at', '>', inMs(-HOUR_MS))
    .limit(1)
  if (!last) await recordSecurityEvent(tx, kind, { type, id }, device, { sessionId })
}
