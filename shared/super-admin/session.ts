import type { Knex } from 'knex'
import { AuthErrors } from '../accounts/errors.ts'
import { readRefreshToken } from '../accounts/refresh-token.ts'
import { type Standing, standingOf } from '../accounts/standing.ts'
import { now } from '../platform/clock.ts'

/** In a refresh token, where a store's id stands in those of its accounts. */
export const PLATFORM = '00000000-0000-0000-0000-000000000000'

/** A super-admin signed in at one device, and whether that super-admin is active. */
export interface SessionRow {
  id: string
  super_admin_id: string
  generation: number
  token_hash: Buffer
  superseded_at: Date[]
  expires_at: Date
  closed_at: Date | null
  is_active: boolean
}

/** A super-admin's sessions that were neither closed nor left alone too long. */
export const openSessions = (knex: Knex, superAdminId: string) =>
  knex('super_admin_sessions')
    .where('super_admin_id', superAdminId)
    .whereNull('closed_at')
    .where('expires_at', '>', now())

/** Locks the session of a refresh token. Throws `auth.refresh_token_invalid` for one that is not genuine. */
export async function lockSession(
  knex: Knex,
  presented: string,
): Promise<{ row: SessionRow; standing: Standing }> {
  const token = readRefreshToken(presented)
  const row: SessionRow | undefined =
    token?.storeId === PLATFORM
      ? await knex('super_admin_sessions as s')
          .join('super_admins as a', 'a.id', 's.super_admin_id')
          .where('s.id', token.sessionId)
          .forNoKeyUpdate('s')
          .first('s.*', 'a.is_active')
      : undefined
  if (!token || !row) throw AuthErrors.refreshTokenInvalid()
  const { generation, token_hash: tokenHash, superseded_at: supersededAt } = row
  const standing = standingOf({ generation, tokenHash, supersededAt }, token)
  if (standing === 'unknown') throw AuthErrors.refreshTokenInvalid()
  return { row, standing }
}
