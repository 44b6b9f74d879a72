import { normalizeEmail } from '../accounts/email.ts'
import { hashPassword } from '../accounts/password.ts'
import { now } from '../platform/clock.ts'
import { db } from '../platform/db.ts'
import { newId } from '../platform/id.ts'

/** Someone who runs the platform. */
export interface SuperAdmin {
  id: string
  email: string
}

/** Makes a super-admin, or gives the one with that address this password. */
export async function keepSuperAdmin({
  email,
  password,
}: {
  email: string
  password: string
}): Promise<string> {
  const at = now()
  const [row] = await db()('super_admins')
    .insert({
      id: newId(),
      email,
      email_normalized: normalizeEmail(email),
      password_hash: await hashPassword(password),
      created_at: at,
      updated_at: at,
    })
    .onConflict('email_normalized')
    .merge(['password_hash', 'updated_at'])
    .returning('id')
  return row.id
}

/** The address of a super-admin; null when there is none with that id. */
export async function findSuperAdminEmail(id: string): Promise<string | null> {
  const row = await db()('super_admins').where({ id }).first('email')
  return row?.email ?? null
}
