import type { Knex } from 'knex'
import { twoFactorSwitchedMail } from '#shared/identity/mails/two-factor-switched.ts'
import type { FactorHolder } from '#shared/identity/two-factor/factor-holder.ts'
import { queuePlatformMail } from '#shared/mail/queue-mail.ts'
import { config } from '#shared/platform/config/config.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'
import { factorOwner } from './factor-owner.ts'

/** Locks the super-admin whose password was just given, to change something about the second factor. */
export async function lockFactorHolder(knex: Knex, confirmed: Confirmed): Promise<FactorHolder> {
  await lockConfirmed(knex, confirmed)
  const { id, email } = confirmed
  return {
    owner: factorOwner(knex, id),
    shown: { issuer: new URL(config().PUBLIC_URL).hostname, label: email },
    tell: (data) => queuePlatformMail(knex, twoFactorSwitchedMail, email, data),
    // The platform's audit log says it, which every super-admin reads.
    note: async () => {},
  }
}
