import type { Device } from '#shared/identity/device.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import type { AccountHolder } from '#shared/identity/holder.ts'
import { voidLinks } from '#shared/identity/links/link.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { notify } from '#shared/identity/mails/notify.ts'
import { twoFactorSwitchedMail } from '#shared/identity/mails/two-factor-switched.ts'
import type { Account, IdentityTx, StoreAccount } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { replaceRecoveryCodes } from './recovery-code.ts'
import { stepOf } from './totp.ts'
import { lockTwoFactor, markEnabled, sealerOf } from './two-factor.ts'

/**
 * Enables two-factor sign-in, records it, notifies the holder, and returns the ten recovery codes. `code` proves that
 * the app has the secret. Voids links to change the address, because they were requested without the second factor. The
 * caller has confirmed the password by `lockConfirmed`. Throws `auth.totp_not_set_up`, `auth.totp_already_enabled`,
 * `auth.totp_invalid`.
 */
export async function enableTwoFactor(
  tx: IdentityTx,
  holder: AccountHolder,
  code: string,
  device: Device,
): Promise<string[]> {
  const { account } = holder
  // Save the step, so that somebody who saw the code cannot sign in with it.
  await markEnabled(tx, account, await provenStep(tx, account, code))
  const codes = await replaceRecoveryCodes(tx, account)
  if (tx.storeId) await voidLinks(tx, account as StoreAccount, 'change_email')
  await recordSecurityEvent(tx, 'two_factor_enabled', account, device)
  await notify(tx, twoFactorSwitchedMail, holder, { is_on: true, ...deviceFacts(device) })
  return codes
}

/** Returns the time step of a code for the secret that is set up. */
async function provenStep(tx: IdentityTx, account: Account, code: string): Promise<number> {
  const factor = await lockTwoFactor(tx, account)
  if (!factor) throw AuthErrors.totpNotSetUp()
  if (factor.enabled_at) throw AuthErrors.totpAlreadyEnabled()
  const step = stepOf(sealerOf(tx, account).open(factor.sealed_secret), code)
  if (step === null) throw AuthErrors.totpInvalid()
  return step
}
