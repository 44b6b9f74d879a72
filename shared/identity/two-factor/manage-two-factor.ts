import type { Device } from '#shared/identity/device.ts'
import type { AccountHolder } from '#shared/identity/holder.ts'
import { voidLinks } from '#shared/identity/links/link.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { notify } from '#shared/identity/mails/notify.ts'
import { twoFactorSwitchedMail } from '#shared/identity/mails/two-factor-switched.ts'
import type { IdentityTx, StoreAccount } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { replaceRecoveryCodes } from './recovery-code.ts'
import { secretUri } from './totp.ts'
import { assertTwoFactorEnabled, disableTwoFactor, enableTwoFactor, setUpTwoFactor } from './two-factor.ts'

// The caller has confirmed the password: before the first two functions by `lockConfirmed`, because there is no second
// factor yet, and before the others by `reauthenticate`, with the second factor.

/** Creates the secret for an app, and the address from which the app reads it. */
export async function prepareTwoFactor(
  tx: IdentityTx,
  { account, email }: AccountHolder,
  issuer: string,
): Promise<{ secret: string; uri: string }> {
  const secret = await setUpTwoFactor(tx, account)
  return { secret, uri: secretUri(secret, { issuer, label: email }) }
}

/**
 * Switches two-factor sign-in on, notifies the holder, and returns the recovery codes. Voids links to change the
 * address, because they were requested without the second factor.
 */
export async function switchOnTwoFactor(
  tx: IdentityTx,
  holder: AccountHolder,
  code: string,
  device: Device,
): Promise<string[]> {
  const codes = await enableTwoFactor(tx, holder.account, code)
  if (tx.storeId) await voidLinks(tx, holder.account as StoreAccount, 'change_email')
  await recordSecurityEvent(tx, 'two_factor_enabled', holder.account, device)
  await notify(tx, twoFactorSwitchedMail, holder, { is_on: true, ...deviceFacts(device) })
  return codes
}

/** Switches two-factor sign-in off, and notifies the holder. Throws `auth.totp_not_enabled`. */
export async function switchOffTwoFactor(
  tx: IdentityTx,
  holder: AccountHolder,
  device: Device,
): Promise<void> {
  await assertTwoFactorEnabled(tx, holder.account)
  await disableTwoFactor(tx, holder.account)
  await recordSecurityEvent(tx, 'two_factor_disabled', holder.account, device)
  await notify(tx, twoFactorSwitchedMail, holder, { is_on: false, ...deviceFacts(device) })
}

/** Replaces the recovery codes. Throws `auth.totp_not_enabled`. */
export async function renewRecoveryCodes(
  tx: IdentityTx,
  { account }: AccountHolder,
  device: Device,
): Promise<string[]> {
  await assertTwoFactorEnabled(tx, account)
  await recordSecurityEvent(tx, 'recovery_codes_renewed', account, device)
  return replaceRecoveryCodes(tx, account)
}
