import { type Device, isNewDevice, readSignInContext } from '../device.ts'
import { AuthErrors } from '../errors.ts'
import { accountRow } from '../holder.ts'
import { deviceFacts } from '../mails/device.ts'
import { newSignInMail } from '../mails/new-sign-in.ts'
import { notify } from '../mails/notify.ts'
import type { Account, IdentityTx } from '../principal.ts'
import { recordSecurityEvent } from '../security-event.ts'
import { openSession, type TokenPair } from '../sessions/open-session.ts'
import { type SecondFactor, verifySecondFactor } from '../two-factor/second-factor.ts'
import type { Credentials } from './find-credentials.ts'

/** The row of an account that signed in, in its own table. */
export interface AccountRow {
  id: string
  email: string
  language?: string | null
}

export interface SignedIn {
  account: Account
  row: AccountRow
  tokens: TokenPair
}

/**
 * Signs in an account whose password was verified before the transaction. Throws `auth.invalid_credentials` if the
 * password has changed since or the account is switched off, `auth.totp_required` and `auth.totp_invalid` where
 * two-factor sign-in is on.
 */
export async function completeSignIn(
  tx: IdentityTx,
  { account, passwordHash }: Pick<Credentials, 'account' | 'passwordHash'>,
  device: Device,
  secondFactor: SecondFactor = {},
): Promise<SignedIn> {
  // Locked, so that a change of password, which closes all sessions, comes either before this session or closes it.
  const row: AccountRow | undefined = await accountRow(tx, account)
    .where({ password_hash: passwordHash, is_active: true })
    .forShare()
    .first()
  if (!row) throw AuthErrors.invalidCredentials()
  return { account, row, tokens: await startSession(tx, account, row, device, secondFactor) }
}

/** Opens a session after the second factor, where there is one, and notifies the owner of a new device. */
export async function startSession(
  tx: IdentityTx,
  account: Account,
  { email, language = null }: Pick<AccountRow, 'email' | 'language'>,
  device: Device,
  secondFactor: SecondFactor,
): Promise<TokenPair> {
  const context = await readSignInContext(tx, account)
  if (context.has_two_factor) {
    const proof = await verifySecondFactor(tx, account, secondFactor)
    if (proof === 'recovery_code') await recordSecurityEvent(tx, 'recovery_code_used', account, device)
  }
  const isNew = isNewDevice(device, context.last_devices)
  if (isNew) await notify(tx, newSignInMail, { email, language }, deviceFacts(device))
  return openSession(tx, account, device, { isNewDevice: isNew })
}
