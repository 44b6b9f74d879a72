import type { Knex } from 'knex'
import { AuthErrors } from '#shared/identity/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { closeSession, closeSessions } from './close-sessions.ts'
import { findSession } from './session.ts'
import type { SuperAdmin } from './super-admin.ts'

/** Closes the session that a refresh token belongs to; an old token does as well, and a closed session stays closed. */
export async function signOutSuperAdmin(knex: Knex, presented: string): Promise<void> {
  const { row } = await findSession(knex, presented)
  await closeSession(knex, row.id)
}

/** Closes all of the super-admin's sessions, by a token that could still be exchanged, or just could. */
export async function signOutSuperAdminEverywhere(knex: Knex, presented: string): Promise<void> {
  const { id } = await whoseSessions(knex, presented)
  await closeSessions(knex, id)
}

/** Whose sessions a token closes all of, or why it doesn't. `sessionId` is the token's own. */
export async function whoseSessions(
  knex: Knex,
  presented: string,
): Promise<SuperAdmin & { sessionId: string }> {
  const { row, standing } = await findSession(knex, presented)
  if (row.closed_at) throw AuthErrors.sessionRevoked()
  if (row.expires_at <= now() || standing === 'stale') throw AuthErrors.refreshTokenInvalid()
  return { id: row.super_admin_id, email: row.email, sessionId: row.id }
}
