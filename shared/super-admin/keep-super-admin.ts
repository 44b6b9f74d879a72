import type { Knex } from 'knex'
import { normalizeEmail } from '../accounts/email.ts'
import { hashPassword } from '../accounts/password.ts'
import { now } from '../platform/clock.ts'
import { newId } from '../platform/id.ts'
import { inPlatform } from '../platform/store-scope.ts'
import { closeSessions } from './close-sessions.ts'
import { recordCommand } from './record-command.ts'

/** More is asked of who runs the platform than of those who shop on it. */
export const SHORTEST_PASSWORD = 12

/** Makes a super-admin, or gives the one with that address this password, which closes all of their sessions. */
export async function keepSuperAdmin({
  email,
  password,
}: {
  email: string
  password: string
}): Promise<void> {
  const passwordHash = await hashPassword(password)
  await inPlatform(async (knex) => {
    const id = await writeSuperAdmin(knex, { email, passwordHash })
    await closeSessions(knex, id)
    await recordCommand(knex, { id, email }, 'keepSuperAdmin')
  })
}

/** Writes down that an address is a super-admin's, and the hash of the password; returns the id. */
export async function writeSuperAdmin(
  knex: Knex,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<string> {
  const at = now()
  const [row] = await knex('super_admins')
    .insert({
      id: newId(),
      email,
      email_normalized: normalizeEmail(email),
      password_hash: passwordHash,
      created_at: at,
      updated_at: at,
    })
    .onConflict('email_normalized')
    .merge(['password_hash', 'updated_at'])
    .returning('id')
  return row.id
}
