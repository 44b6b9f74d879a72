import type { Knex } from 'knex'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { openSessions } from './session.ts'

/** Closes a session; a closed one stays as it is. */
export async function closeSession(knex: Knex, id: string): Promise<void> {
  await knex('super_admin_sessions').where({ id }).whereNull('closed_at').update({ closed_at: now() })
}

/**
 * Closes every session of a super-admin, but for one that may go on; what they opened in stores, to help, closes too.
 * The account is locked before its sessions, here as everywhere.
 */
export async function closeSessions(
  knex: Knex,
  superAdminId: string,
  { except }: { except?: string } = {},
): Promise<void> {
  const at = now()
  await knex('super_admins').where('id', superAdminId).update({ signed_out_at: at })
  const sessions = openSessions(knex, superAdminId)
  if (except) sessions.whereNot('id', except)
  await sessions.update({ closed_at: at })
}

/** Closes every session of every super-admin, and what they opened in stores; returns how many of the former. */
export async function closeEverySuperAdminSession(knex: Knex): Promise<number> {
  const at = now()
  await knex('super_admins').update('signed_out_at', at)
  return knex('super_admin_sessions').whereNull('closed_at').update('closed_at', at)
}

/** Closes one of a super-admin's open sessions; 404 `resource.not_found` for any other. */
export async function closeListedSession(knex: Knex, superAdminId: string, id: string): Promise<void> {
  const closed = await openSessions(knex, superAdminId).where({ id }).update({ closed_at: now() })
  if (!closed) throw CommonErrors.notFound()
}
