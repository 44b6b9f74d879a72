import type { Knex } from 'knex'
import { emailScopeOf } from '#shared/identity/email.ts'
import type { PrincipalType } from '#shared/identity/principal.ts'
import { resetQuotas } from '#shared/platform/throttle/quota.ts'
import { confirmationsSubject } from './failed-confirmations.ts'
import { signInSubject } from './failed-sign-ins.ts'
import { knownDevicesSubject } from './limit-failures.ts'

/**
 * Resets failed sign-ins and confirmations after a new password was set, because they tried the old one. Failed codes
 * stay.
 */
export async function resetFailures(
  { knex, storeId }: { knex: Knex; storeId: string | null },
  { account, email }: { account: { type: PrincipalType; id: string }; email: string },
): Promise<void> {
  const subject = signInSubject(emailScopeOf(storeId, account.type), email)
  await resetQuotas(knex, subject, knownDevicesSubject(subject), confirmationsSubject(account.id))
}
