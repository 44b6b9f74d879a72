import { AuthErrors } from '../accounts/errors.ts'
import { now } from '../platform/clock.ts'
import { inPlatform } from '../platform/store-scope.ts'
import { closeSession, closeSessions } from './close-sessions.ts'
import { findSession } from './session.ts'

/**
 * Closes the session that a refresh token belongs to; an old token does as well, and a closed session stays closed.
 * `all` closes all of the super-admin's, for a token that could still be exchanged, or just could.
 */
export const signOutSuperAdmin = (presented: string, { all }: { all: boolean }): Promise<void> =>
  inPlatform(async (knex) => {
    const { row, standing } = await findSession(knex, presented)
    if (!all) return closeSession(knex, row.id)
    if (row.closed_at) throw AuthErrors.sessionRevoked()
    if (row.expires_at <= now() || standing === 'stale') throw AuthErrors.refreshTokenInvalid()
    await closeSessions(knex, row.super_admin_id)
  })
