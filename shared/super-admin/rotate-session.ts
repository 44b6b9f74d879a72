import type { Knex } from 'knex'
import { AuthErrors } from '#shared/identity/errors.ts'
import type { TokenPair } from '#shared/identity/sessions/open-session.ts'
import { remakeRefreshToken } from '#shared/identity/sessions/refresh-token.ts'
import { supersedingNow } from '#shared/identity/sessions/refresh-token-status.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { expiryOf } from '#shared/identity/sessions/session-span.ts'
import { inPlatform } from '#shared/platform/db/store-scope.ts'
import type { CodedError } from '#shared/platform/errors.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { closeSession } from './close-sessions.ts'
import { pairOf, tokenOf } from './open-session.ts'
import { lockSession, PLATFORM, type SessionRow } from './session.ts'

/**
 * Exchanges a refresh token, by the rules for staff: for a minute the superseded one gives the same successor, later
 * it closes the session. Throws `auth.refresh_token_invalid`, `auth.refresh_token_reused`, `auth.session_revoked`.
 */
export async function rotateSuperAdminSession(presented: string, device: Device): Promise<TokenPair> {
  const outcome = await inPlatform((knex) => rotate(knex, presented, device))
  if ('code' in outcome) throw outcome
  return outcome
}

async function rotate(knex: Knex, presented: string, device: Device): Promise<TokenPair | CodedError> {
  const { row, standing } = await lockSession(knex, presented)
  if (row.closed_at || !row.is_active) throw AuthErrors.sessionRevoked()
  if (row.expires_at <= now() || standing === 'recent') throw AuthErrors.refreshTokenInvalid()
  if (standing === 'stale') {
    await closeSession(knex, row.id)
    // Returned, for the closing must commit.
    return AuthErrors.refreshTokenReused()
  }
  return standing === 'current' ? advance(knex, row, device) : repeat(row)
}

async function advance(knex: Knex, row: SessionRow, { ip, userAgent }: Device): Promise<TokenPair> {
  const generation = row.generation + 1
  const refreshToken = tokenOf(row.id, generation)
  await knex('super_admin_sessions')
    .where('id', row.id)
    .update({
      generation,
      token_hash: sha256(refreshToken),
      predecessor_hash: row.token_hash,
      superseded_at: supersedingNow(row.superseded_at),
      ip,
      user_agent: userAgent,
      last_used_at: now(),
      expires_at: expiryOf('super_admin', row.created_at),
    })
  return pairOf(row.super_admin_id, row.id, refreshToken)
}

function repeat({ id, super_admin_id, generation, token_hash }: SessionRow): TokenPair {
  const refreshToken = remakeRefreshToken({ storeId: PLATFORM, sessionId: id, generation }, token_hash)
  if (!refreshToken) throw AuthErrors.refreshTokenInvalid()
  return pairOf(super_admin_id, id, refreshToken)
}
