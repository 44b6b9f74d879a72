import type { Static } from 'typebox'
import { deviceFacts } from '../mails/device.ts'
import type { TwoFactorSwitched } from '../mails/two-factor-switched.ts'
import type { SecurityEventKind } from '../security-event.ts'
import type { Device } from '../sessions/session.ts'
import type { FactorOwner } from './factor-owner.ts'
import { replaceRecoveryCodes } from './recovery-code.ts'
import { requireSecondFactor, type SecondFactor } from './second-factor.ts'
import { disableTwoFactor, enableTwoFactor, setUpTwoFactor } from './switch.ts'
import { secretUri } from './totp.ts'

/** Who has just given their password to change something about their second factor; the account is locked. */
export interface FactorHolder {
  owner: FactorOwner
  /** What apps show beside the code: who asks for it, and of which account. */
  shown: { issuer: string; label: string }
  /** Mails that it was switched. */
  tell(data: Static<typeof TwoFactorSwitched>): Promise<void>
  /** Writes down what was done, for the holder to look up. */
  note(kind: SecurityEventKind, device: Device): Promise<void>
}

/** Makes the secret that an app is to be given, and the address it takes it from. */
export async function prepareTwoFactor({
  owner,
  shown,
}: FactorHolder): Promise<{ secret: string; uri: string }> {
  const secret = await setUpTwoFactor(owner)
  return { secret, uri: secretUri(secret, shown) }
}

/** Switches two-factor sign-in on, tells the holder, and returns the recovery codes. */
export async function switchOnTwoFactor(
  { owner, tell, note }: FactorHolder,
  code: string,
  device: Device,
): Promise<string[]> {
  const codes = await enableTwoFactor(owner, code)
  await note('two_factor_enabled', device)
  await tell({ is_on: true, ...deviceFacts(device) })
  return codes
}

/** Switches two-factor sign-in off for who proves it once more, and tells the holder. */
export async function switchOffTwoFactor(
  { owner, tell, note }: FactorHolder,
  factor: SecondFactor,
  device: Device,
): Promise<void> {
  await requireSecondFactor(owner, factor)
  await disableTwoFactor(owner)
  await note('two_factor_disabled', device)
  await tell({ is_on: false, ...deviceFacts(device) })
}

/** Gives ten new recovery codes to who proves the second factor: whoever lacks it must not come by another one. */
export async function renewRecoveryCodes(
  { owner, note }: FactorHolder,
  factor: SecondFactor,
  device: Device,
): Promise<string[]> {
  await requireSecondFactor(owner, factor)
  await note('recovery_codes_renewed', device)
  return replaceRecoveryCodes(owner)
}
