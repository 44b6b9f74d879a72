import type { Knex } from 'knex'
import { AuthErrors } from '../accounts/errors.ts'
import type { TokenPair } from '../accounts/open-session.ts'
import { readRefreshToken, remakeRefreshToken } from '../accounts/refresh-token.ts'
import { isInGrace, standingOf } from '../accounts/standing.ts'
import { inMs, now } from '../platform/clock.ts'
import { sha256 } from '../platform/crypto.ts'
import type { CodedError } from '../platform/errors.ts'
import { inPlatform } from '../platform/store-scope.ts'
import { IDLE_MS, PLATFORM, pairOf, tokenOf } from './open-session.ts'

interface SessionRow {
  id: string
  super_admin_id: string
  generation: number
  token_hash: Buffer
  superseded_at: Date[]
  expires_at: Date
  closed_at: Date | null
  is_active: boolean
}

/**
 * Exchanges a refresh token, by the rules for staff: for a minute the superseded one gives the same successor, later
 * it closes the session. Throws `auth.refresh_token_invalid`, `auth.refresh_token_reused`, `auth.session_revoked`.
 */
export async function rotateSuperAdminSession(presented: string): Promise<TokenPair> {
  const outcome = await inPlatform((knex) => rotate(knex, presented))
  if ('code' in outcome) throw outcome
  return outcome
}

async function rotate(knex: Knex, presented: string): Promise<TokenPair | CodedError> {
  const { row, standing } = await lockSession(knex, presented)
  if (row.closed_at || !row.is_active) throw AuthErrors.sessionRevoked()
  if (row.expires_at <= now() || standing === 'recent') throw AuthErrors.refreshTokenInvalid()
  if (standing === 'stale') {
    await close(knex, { id: row.id })
    // Returned, for the closing must commit.
    return AuthErrors.refreshTokenReused()
  }
  return standing === 'current' ? advance(knex, row) : repeat(row)
}

async function advance(knex: Knex, row: SessionRow): Promise<TokenPair> {
  const generation = row.generation + 1
  const refreshToken = tokenOf(row.id, generation)
  await knex('super_admin_sessions')
    .where('id', row.id)
    .update({
      generation,
      token_hash: sha256(refreshToken),
      superseded_at: [now(), ...row.superseded_at.filter(isInGrace)].slice(0, 100),
      expires_at: inMs(IDLE_MS),
    })
  return pairOf(row.super_admin_id, row.id, refreshToken)
}

function repeat({ id, super_admin_id, generation, token_hash }: SessionRow): TokenPair {
  const refreshToken = remakeRefreshToken({ storeId: PLATFORM, sessionId: id, generation }, token_hash)
  if (!refreshToken) throw AuthErrors.refreshTokenInvalid()
  return pairOf(super_admin_id, id, refreshToken)
}

/** Closes the session of a refresh token, or all sessions of its super-admin. */
export async function closeSuperAdminSession(presented: string, { all }: { all: boolean }): Promise<void> {
  await inPlatform(async (knex) => {
    const { row } = await lockSession(knex, presented)
    await close(knex, all ? { super_admin_id: row.super_admin_id } : { id: row.id })
  })
}

const close = (knex: Knex, which: object) =>
  knex('super_admin_sessions').where(which).whereNull('closed_at').update({ closed_at: now() })

async function lockSession(knex: Knex, presented: string) {
  const token = readRefreshToken(presented)
  const row: SessionRow | undefined =
    token?.storeId === PLATFORM
      ? await knex('super_admin_sessions as s')
          .join('super_admins as a', 'a.id', 's.super_admin_id')
          .where('s.id', token.sessionId)
          .forUpdate('s')
          .first('s.*', 'a.is_active')
      : undefined
  if (!token || !row) throw AuthErrors.refreshTokenInvalid()
  const { generation, token_hash: tokenHash, superseded_at: supersededAt } = row
  const standing = standingOf({ generation, tokenHash, supersededAt }, token)
  if (standing === 'unknown') throw AuthErrors.refreshTokenInvalid()
  return { row, standing }
}
