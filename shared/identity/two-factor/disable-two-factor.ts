import type { Device } from '#shared/identity/device.ts'
import type { AccountHolder } from '#shared/identity/holder.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { notify } from '#shared/identity/mails/notify.ts'
import { twoFactorSwitchedMail } from '#shared/identity/mails/two-factor-switched.ts'
import type { IdentityTx } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { assertTwoFactorEnabled, deleteSecondFactor } from './two-factor.ts'

/**
 * Disables two-factor sign-in, records it, and notifies the holder. The caller has confirmed password and second factor
 * by `reauthenticate`. Throws `auth.totp_not_enabled`.
 */
export async function disableTwoFactor(tx: IdentityTx, holder: AccountHolder, device: Device): Promise<void> {
  await assertTwoFactorEnabled(tx, holder.account)
  await deleteSecondFactor(tx, holder.account)
  await recordSecurityEvent(tx, 'two_factor_disabled', holder.account, device)
  await notify(tx, twoFactorSwitchedMail, holder, { is_on: false, ...deviceFacts(device) })
}
