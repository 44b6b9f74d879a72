import { lockCustomer } from '#shared/customers/customer.ts'
import { NO_DEVICE } from '#shared/identity/device.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { twoFactorSwitchedMail } from '#shared/identity/mails/two-factor-switched.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { closeSessionsOfAccount } from '#shared/identity/sessions/close-sessions.ts'
import { deleteSecondFactor, readTwoFactor } from '#shared/identity/two-factor/two-factor.ts'
import { queueMail, toRecipient } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Switches two-factor sign-in off for a customer who has lost the app and the recovery codes. Closes all sessions and
 * mails the customer. Throws `resource.not_found` and `auth.totp_not_enabled`.
 */
export async function resetCustomersTwoFactor(tx: StoreTx, id: string): Promise<void> {
  const customer = await lockCustomer(tx, id)
  const account = { type: 'customer', id } as const
  if (!(await readTwoFactor(tx, account)).isEnabled) throw AuthErrors.totpNotEnabled()
  await deleteSecondFactor(tx, account)
  await closeSessionsOfAccount(tx, account, 'revoked')
  await recordSecurityEvent(tx, 'two_factor_reset', account, NO_DEVICE)
  await queueMail(tx, twoFactorSwitchedMail, toRecipient(customer), {
    is_on: false,
    ...deviceFacts(NO_DEVICE),
  })
}
