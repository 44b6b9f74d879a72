import type { Device } from '../device.ts'
import type { AccountHolder } from '../holder.ts'
import { deviceFacts } from '../mails/device.ts'
import { notify } from '../mails/notify.ts'
import { twoFactorSwitchedMail } from '../mails/two-factor-switched.ts'
import type { IdentityTx } from '../principal.ts'
import { recordSecurityEvent } from '../security-event.ts'
import { replaceRecoveryCodes } from './recovery-code.ts'
import { requireSecondFactor, type SecondFactor } from './second-factor.ts'
import { secretUri } from './totp.ts'
import { disableTwoFactor, enableTwoFactor, setUpTwoFactor } from './two-factor.ts'

// Each takes a holder whose account is locked, and whose password was just confirmed (`lockConfirmed`).

/** Makes the secret for an app, and the address that the app reads it from. */
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

/** Switches two-factor sign-in off with one more proof of it, and notifies the holder. */
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

/** Replaces the recovery codes after a proof of the second factor: without it nobody may get another one. */
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
