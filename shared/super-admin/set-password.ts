import type { Knex } from 'knex'
import { STAFF } from '#shared/identity/email.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { passwordChangedMail } from '#shared/identity/mails/password-changed.ts'
import type { Device } from '#shared/identity/sessions/session.ts'
import { forgetFailures } from '#shared/identity/throttling/failed-sign-ins.ts'
import { queuePlatformMail } from '#shared/mail/queue-mail.ts'
import { now } from '#shared/platform/time/clock.ts'
import { closeSessions } from './close-sessions.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'

/** Gives a super-admin another password and tells them. The session `keep` goes on, all others close. */
export async function setPassword(
  knex: Knex,
  confirmed: Confirmed,
  { passwordHash, keep, device }: { passwordHash: string; keep: string; device: Device },
): Promise<void> {
  await lockConfirmed(knex, confirmed)
  const { id, email } = confirmed
  await knex('super_admins').where({ id }).update({ password_hash: passwordHash, updated_at: now() })
  await closeSessions(knex, id, { except: keep })
  await forgetFailures(knex, { whose: STAFF, id, email, device })
  await queuePlatformMail(knex, passwordChangedMail, email, deviceFacts(device))
}
