import type { Knex } from 'knex'
import { deviceFacts } from '../accounts/mails/device.ts'
import { twoFactorSwitchedMail } from '../accounts/mails/two-factor-switched.ts'
import type { Device } from '../accounts/session.ts'
import { replaceRecoveryCodes } from '../accounts/two-factor/recovery-code.ts'
import { requireSecondFactor, type SecondFactor } from '../accounts/two-factor/second-factor.ts'
import { disableTwoFactor, enableTwoFactor, setUpTwoFactor } from '../accounts/two-factor/switch.ts'
import { secretUri } from '../accounts/two-factor/totp.ts'
import { queuePlatformMail } from '../mail/queue-mail.ts'
import { config } from '../platform/config.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'
import { factorOwner } from './factor-owner.ts'
import type { SuperAdmin } from './super-admin.ts'

/** Makes the secret that an app is to be given, and the address it takes it from. */
export async function prepareTwoFactor(
  knex: Knex,
  confirmed: Confirmed,
): Promise<{ secret: string; uri: string }> {
  await lockConfirmed(knex, confirmed)
  const secret = await setUpTwoFactor(factorOwner(knex, confirmed.id))
  const { hostname } = new URL(config().PUBLIC_URL)
  return { secret, uri: secretUri(secret, { issuer: hostname, label: confirmed.email }) }
}

/** Switches two-factor sign-in on, tells the super-admin, and returns the recovery codes. */
export async function switchOnTwoFactor(
  knex: Knex,
  confirmed: Confirmed,
  code: string,
  device: Device,
): Promise<string[]> {
  await lockConfirmed(knex, confirmed)
  const codes = await enableTwoFactor(factorOwner(knex, confirmed.id), code)
  await tellOfSwitch(knex, confirmed, true, device)
  return codes
}

/** Switches two-factor sign-in off for who proves it once more, and tells the super-admin. */
export async function switchOffTwoFactor(
  knex: Knex,
  confirmed: Confirmed,
  factor: SecondFactor,
  device: Device,
): Promise<void> {
  await lockConfirmed(knex, confirmed)
  const owner = factorOwner(knex, confirmed.id)
  await requireSecondFactor(owner, factor)
  await disableTwoFactor(owner)
  await tellOfSwitch(knex, confirmed, false, device)
}

/** Gives ten new recovery codes to who proves the second factor: whoever lacks it must not come by another one. */
export async function renewRecoveryCodes(
  knex: Knex,
  confirmed: Confirmed,
  factor: SecondFactor,
): Promise<string[]> {
  await lockConfirmed(knex, confirmed)
  const owner = factorOwner(knex, confirmed.id)
  await requireSecondFactor(owner, factor)
  return replaceRecoveryCodes(owner)
}

/** Tells a super-admin that two-factor sign-in was switched on or off, and from where. */
export const tellOfSwitch = (
  knex: Knex,
  { email }: SuperAdmin,
  isOn: boolean,
  device: Device,
): Promise<void> =>
  queuePlatformMail(knex, twoFactorSwitchedMail, email, { is_on: isOn, ...deviceFacts(device) })
