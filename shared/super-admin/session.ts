import type { Knex } from 'knex'
import { AuthErrors } from '#shared/identity/errors.ts'
import { readRefreshToken } from '#shared/identity/sessions/refresh-token.ts'
import { type Standing, standingOf } from '#shared/identity/sessions/refresh-token-status.ts'
import { now } from '#shared/platform/time/clock.ts'

/** In a refresh token, where a store's id stands in those of its accounts. */
export const PLATFORM = '00000000-0000-0000-0000-000000000000'

/** A super-admin signed in at one device, and who that is. */
export interface SessionRow {
  id: string
  super_admin_id: string
  generation: number
  token_hash: Buffer
  predecessor_hash: Buffer | null
  superseded_at: Date[]
  created_at: Date
  expires_at: Date
  closed_at: Date | null
  email: string
  is_active: boolean
}

/** A session, and how the refresh token that was presented stands to it. */
export interface FoundSession {
  row: SessionRow
  standing: Standing
}

/** A super-admin's sessions that were neither closed nor left alone too long. */
export const openSessions = (knex: Knex, superAdminId: string) =>
  knex('super_admin_sessions')
    .where('super_admin_id', superAdminId)
    .whereNull('closed_at')
    .where('expires_at', '>', now())

/** The session of a refresh token. Throws `auth.refresh_token_invalid` for one that is not genuine. */
export const findSession = (knex: Knex, presented: string): Promise<FoundSession> =>
  find(presented, (id) => sessionById(knex, id).first())

/** The same, and keeps others from changing the session until the transaction ends. */
export const lockSession = (knex: Knex, presented: string): Promise<FoundSession> =>
  find(presented, (id) => sessionById(knex, id).forNoKeyUpdate('s').first())

const sessionById = (knex: Knex, id: string) =>
  knex('super_admin_sessions as s')
    .join('super_admins as a', 'a.id', 's.super_admin_id')
    .where('s.id', id)
    .select('s.*', 'a.email', 'a.is_active')

async function find(
  presented: string,
  read: (id: string) => Promise<SessionRow | undefined>,
): Promise<FoundSession> {
  const token = readRefreshToken(presented)
  const row = token?.storeId === PLATFORM ? await read(token.sessionId) : undefined
  if (!token || !row) throw AuthErrors.refreshTokenInvalid()
  const { generation, token_hash: tokenHash, predecessor_hash: predecessorHash, superseded_at } = row
  const standing = standingOf({ generation, tokenHash, predecessorHash, supersededAt: superseded_at }, token)
  if (standing === 'unknown') throw AuthErrors.refreshTokenInvalid()
  return { row, standing }
}
