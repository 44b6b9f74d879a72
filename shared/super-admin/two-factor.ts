import type { Knex } from 'knex'
import { replaceRecoveryCodes } from '../accounts/two-factor/recovery-code.ts'
import { requireSecondFactor, type SecondFactor } from '../accounts/two-factor/second-factor.ts'
import { disableTwoFactor, enableTwoFactor, setUpTwoFactor } from '../accounts/two-factor/switch.ts'
import { secretUri } from '../accounts/two-factor/totp.ts'
import { config } from '../platform/config.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'
import { factorOwner } from './factor-owner.ts'

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

/** Switches two-factor sign-in on, and returns the recovery codes. */
export async function switchOnTwoFactor(knex: Knex, confirmed: Confirmed, code: string): Promise<string[]> {
  await lockConfirmed(knex, confirmed)
  return enableTwoFactor(factorOwner(knex, confirmed.id), code)
}

/** Switches two-factor sign-in off for who proves it once more. */
export async function switchOffTwoFactor(
  knex: Knex,
  confirmed: Confirmed,
  factor: SecondFactor,
): Promise<void> {
  await lockConfirmed(knex, confirmed)
  const owner = factorOwner(knex, confirmed.id)
  await requireSecondFactor(owner, factor)
  await disableTwoFactor(owner)
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
