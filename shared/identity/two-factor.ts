import { deviceFacts } from '../accounts/mails/device.ts'
import { twoFactorSwitchedMail } from '../accounts/mails/two-factor-switched.ts'
import type { Device } from '../accounts/session.ts'
import { factorOwner } from '../accounts/two-factor/factor-owner.ts'
import { replaceRecoveryCodes } from '../accounts/two-factor/recovery-code.ts'
import { requireSecondFactor, type SecondFactor } from '../accounts/two-factor/second-factor.ts'
import { disableTwoFactor, enableTwoFactor, setUpTwoFactor } from '../accounts/two-factor/switch.ts'
import { secretUri } from '../accounts/two-factor/totp.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { Store } from '../stores/store.ts'
import { type Confirmed, lockConfirmed } from './confirm-password.ts'
import type { Holder } from './holder.ts'

/** Makes the secret that an app is to be given, and the address it takes it from. */
export async function prepareTwoFactor(
  tx: StoreTx,
  confirmed: Confirmed,
  store: Store,
): Promise<{ secret: string; uri: string }> {
  const { account, email } = await lockConfirmed(tx, confirmed)
  const secret = await setUpTwoFactor(factorOwner(tx, account))
  return { secret, uri: secretUri(secret, { issuer: store.name, label: email }) }
}

/** Switches two-factor sign-in on, tells the holder, and returns the recovery codes. */
export async function switchOnTwoFactor(
  tx: StoreTx,
  confirmed: Confirmed,
  code: string,
  device: Device,
): Promise<string[]> {
  const holder = await lockConfirmed(tx, confirmed)
  const codes = await enableTwoFactor(factorOwner(tx, holder.account), code)
  await tell(tx, holder, true, device)
  return codes
}

/** Switches two-factor sign-in off for who proves it once more, and tells the holder. */
export async function switchOffTwoFactor(
  tx: StoreTx,
  confirmed: Confirmed,
  factor: SecondFactor,
  device: Device,
): Promise<void> {
  const holder = await lockConfirmed(tx, confirmed)
  const owner = factorOwner(tx, holder.account)
  await requireSecondFactor(owner, factor)
  await disableTwoFactor(owner)
  await tell(tx, holder, false, device)
}

/** Gives ten new recovery codes to who proves the second factor: whoever lacks it must not come by another one. */
export async function renewRecoveryCodes(
  tx: StoreTx,
  confirmed: Confirmed,
  factor: SecondFactor,
): Promise<string[]> {
  const { account } = await lockConfirmed(tx, confirmed)
  const owner = factorOwner(tx, account)
  await requireSecondFactor(owner, factor)
  return replaceRecoveryCodes(owner)
}

const tell = (tx: StoreTx, holder: Holder, isOn: boolean, device: Device): Promise<void> =>
  queueMail(tx, twoFactorSwitchedMail, holder, { is_on: isOn, ...deviceFacts(device) })
