import type { Knex } from 'knex'
import { now } from '../platform/clock.ts'
import { closeSessions } from './close-sessions.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'

/** Gives a super-admin another password. The session `keep` goes on, all others close. */
export async function setPassword(
  knex: Knex,
  confirmed: Confirmed,
  { passwordHash, keep }: { passwordHash: string; keep: string },
): Promise<void> {
  await lockConfirmed(knex, confirmed)
  const { id } = confirmed
  await knex('super_admins').where({ id }).update({ password_hash: passwordHash, updated_at: now() })
  await closeSessions(knex, id, { except: keep })
}
