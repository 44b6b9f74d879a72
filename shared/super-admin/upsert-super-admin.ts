import { isSameMailbox, lockStaffEmail, normalizeEmail } from '#shared/identity/email.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { passwordChangedMail } from '#shared/identity/mails/password-changed.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { closeSessionsOfAccount } from '#shared/identity/sessions/close-sessions.ts'
import { resetFailedCodes } from '#shared/identity/throttling/failed-codes.ts'
import { resetFailures } from '#shared/identity/throttling/reset-failures.ts'
import { queuePlatformMail } from '#shared/mail/queue-mail.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inPlatform, type PlatformTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { freeDisplacedEmail } from '#shared/staff/staff-email.ts'
import { COMMAND_LINE, recordCommand } from './record-command.ts'
import type { SuperAdmin } from './super-admin.ts'

/** Super-admins need longer passwords than customers. */
export const MIN_PASSWORD_LENGTH = 12

/**
 * Creates a super-admin. If the address already belongs to a super-admin, sets the password, closes all sessions and
 * mails the super-admin. Throws `auth.email_taken` for an address of a staff member, and for another spelling of a
 * super-admin's address, which may be another person's mailbox.
 */
export async function upsertSuperAdmin({
  email,
  password,
}: {
  email: string
  password: string
}): Promise<void> {
  const passwordHash = await hashPassword(password)
  await inPlatform(async (tx) => {
    const { isNew, ...superAdmin } = await writeSuperAdmin(tx, { email, passwordHash })
    const account = { type: 'super_admin', id: superAdmin.id } as const
    await closeSessionsOfAccount(tx, account, 'password_changed')
    await resetFailures(tx, { account, email })
    await resetFailedCodes(tx, account.id)
    if (!isNew) await queuePlatformMail(tx, passwordChangedMail, superAdmin.email, deviceFacts(COMMAND_LINE))
    await recordCommand(tx, superAdmin, 'upsertSuperAdmin')
  })
}

/** Inserts or updates the row of a super-admin. `isNew`: whether the row was inserted. */
export async function writeSuperAdmin(
  { knex }: PlatformTx,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<SuperAdmin & { isNew: boolean }> {
  const at = now()
  const written = { password_hash: passwordHash, updated_at: at }
  const email_normalized = normalizeEmail(email)
  await lockStaffEmail(knex, email_normalized)
  const [added] = await knex('super_admins')
    .insert({ id: newId(), email, email_normalized, created_at: at, ...written })
    .onConflict('email_normalized')
    .ignore()
    .returning(['id', 'email'])
  if (added) {
    // Failed sign-ins are counted by address: a staff member with the same one could reset the super-admin's count.
    await freeDisplacedEmail(knex, email_normalized)
    return { ...added, isNew: true }
  }
  const [known] = await knex('super_admins')
    .where({ email_normalized })
    .update(written)
    .returning(['id', 'email'])
  if (!isSameMailbox(known.email, email)) throw AuthErrors.emailTaken()
  return { ...known, isNew: false }
}
