import type { Device } from '#shared/identity/device.ts'
import type { AccountHolder } from '#shared/identity/holder.ts'
import type { IdentityTx } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { replaceRecoveryCodes } from './recovery-code.ts'
import { assertTwoFactorEnabled } from './two-factor.ts'

/**
 * Replaces the recovery codes, and records it. The caller has confirmed password and second factor by `reauthenticate`.
 * Throws `auth.totp_not_enabled`.
 */
export async function renewRecoveryCodes(
  tx: IdentityTx,
  { account }: AccountHolder,
  device: Device,
): Promise<string[]> {
  await assertTwoFactorEnabled(tx, account)
  await recordSecurityEvent(tx, 'recovery_codes_renewed', account, device)
  return replaceRecoveryCodes(tx, account)
}
