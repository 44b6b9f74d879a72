import type { Device } from '#shared/identity/device.ts'
import type { AccountHolder } from '#shared/identity/holder.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { notify } from '#shared/identity/mails/notify.ts'
import { twoFactorSwitchedMail } from '#shared/identity/mails/two-factor-switched.ts'
import type { IdentityTx } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { replaceRecoveryCodes } from './recovery-code.ts'
import { requireSecondFactor, type SecondFactor } from './second-factor.ts'
import { secretUri } from './totp.ts'
import { disableTwoFactor, enableTwoFactor, setUpTwoFactor } from './two-factor.ts'

// The caller of each function has locked the account and confirmed its password by `lockConfirmed`.

/** Creates the secret for an app, and the address from which the app reads it. */
export async function prepareTwoFactor(
  tx: IdentityTx,
  { account, email }: AccountHolder,
  issuer: string,
): Promise<{ secret: string; uri: string }> {
  const secret = await setUpTwoFactor(tx, account)
  return { secret, uri: secretUri(secret, { issuer, label: email }) }
}

/** Switches two-factor sign-in on, notifies the holder, and returns the recovery codes. */
export async function switchOnTwoFactor(
  tx: IdentityTx,
  holder: AccountHolder,
  code: string,
  device: Device,
): Promise<string[]> {
  const codes = await enableTwoFactor(tx, holder.account, code)
  await recordSecurityEvent(tx, 'two_factor_enabled', holder.account, device)
  await notify(tx, twoFactorSwitchedMail, holder, { is_on: true, ...deviceFacts(device) })
  return codes
}

/** Verifies the second factor, switches two-factor sign-in off, and notifies the holder. */
export async function switchOffTwoFactor(
  tx: IdentityTx,
  holder: AccountHolder,
  factor: SecondFactor,
  device: Device,
): Promise<void> {
  await requireSecondFactor(tx, holder.account, factor)
  await disableTwoFactor(tx, holder.account)
  await recordSecurityEvent(tx, 'two_factor_disabled', holder.account, device)
  await notify(tx, twoFactorSwitchedMail, holder, { is_on: false, ...deviceFacts(device) })
}

/**
 * Verifies the second factor, then replaces the recovery codes. Without this check anybody could get another factor.
 */
export async function renewRecoveryCodes(
  tx: IdentityTx,
  { account }: AccountHolder,
  factor: SecondFactor,
  device: Device,
): Promise<string[]> {
  await requireSecondFactor(tx, account, factor)
  await recordSecurityEvent(tx, 'recovery_codes_renewed', account, device)
  return replaceRecoveryCodes(tx, account)
}
