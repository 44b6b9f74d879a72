import type { Knex } from 'knex'
import { AuthErrors } from '#shared/identity/errors.ts'
import { isPassword } from '#shared/identity/passwords/password.ts'
import { countingConfirmations } from '#shared/identity/throttling/failed-confirmations.ts'
import { db } from '#shared/platform/db/db.ts'
import type { SuperAdmin } from './super-admin.ts'

/** A super-admin whose password has just been given. */
export interface Confirmed extends SuperAdmin {
  passwordHash: string
}

/**
 * Asks for the password again before something grave, outside a transaction, for its hash is slow; `lockConfirmed`
 * then holds the account to what was found. Throws `auth.invalid_credentials`, and 429 `rate_limit.exceeded` once that was
 * too often.
 */
export const confirmPassword = ({ id, email }: SuperAdmin, password: string): Promise<Confirmed> =>
  countingConfirmations(id, async () => {
    const row = await db()('super_admins').where({ id }).first('password_hash')
    if (!(await isPassword(password, row?.password_hash ?? null))) throw AuthErrors.invalidCredentials()
    return { id, email, passwordHash: row.password_hash }
  })

/**
 * Locks the account and makes sure that the password which was given is still its own: a change of password, which
 * closes all sessions, comes either before or after, and never between.
 */
export async function lockConfirmed(knex: Knex, { id, passwordHash }: Confirmed): Promise<void> {
  const row = await knex('super_admins')
    .where({ id, password_hash: passwordHash, is_active: true })
    .forNoKeyUpdate()
    .first('id')
  if (!row) throw AuthErrors.invalidCredentials()
}
