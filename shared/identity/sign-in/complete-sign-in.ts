import { type Device, isNewDevice, readSignInContext } from '#shared/identity/device.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { accountRow } from '#shared/identity/holder.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { newSignInMail } from '#shared/identity/mails/new-sign-in.ts'
import { notify } from '#shared/identity/mails/notify.ts'
import type { Account, IdentityTx } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import type { TokenPair } from '#shared/identity/sessions/token-pair.ts'
import { type SecondFactor, verifySecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import type { Credentials } from './find-credentials.ts'

/** The row of an account that signed in, from the table of its principal. */
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

/** An account whose owner was identified by the password or by an identity provider. */
export interface ProvenAccount extends Pick<Credentials, 'account' | 'passwordHash'> {
  /** The provider that identified the owner; null or absent for a password. */
  providerId?: string | null
}

/**
 * Signs in an account whose password or identity was verified before the transaction. Throws
 * `auth.invalid_credentials` if the password has changed since or the account is inactive. With two-factor sign-in,
 * throws `auth.totp_required` and `auth.totp_invalid`.
 */
export async function completeSignIn(
  tx: IdentityTx,
  { account, passwordHash, providerId = null }: ProvenAccount,
  device: Device,
  secondFactor: SecondFactor = {},
): Promise<SignedIn> {
  // Lock the account: a concurrent change of password closes all sessions, and must not miss this one.
  const row: AccountRow | undefined = await accountRow(tx, account)
    .where({ password_hash: passwordHash, is_active: true })
    .forShare()
    .first()
  if (!row) throw AuthErrors.invalidCredentials()
  const tokens = await verifyAndOpenSession(tx, account, { ...row, providerId }, device, secondFactor)
  return { account, row, tokens }
}

interface SessionOwner extends Pick<AccountRow, 'email' | 'language'> {
  providerId?: string | null
}

/** Verifies the second factor if there is one, opens a session, and notifies the owner of a new device. */
export async function verifyAndOpenSession(
  tx: IdentityTx,
  account: Account,
  { email, language = null, providerId = null }: SessionOwner,
  device: Device,
  secondFactor: SecondFactor,
): Promise<TokenPair> {
  const context = await readSignInContext(tx, account)
  if (context.has_two_factor) {
    const proof = await verifySecondFactor(tx, account, secondFactor)
    if (proof === 'recovery_code') await recordSecurityEvent(tx, 'recovery_code_used', account, device)
  }
  const isNew = isNewDevice(device, context.last_devices)
  if (isNew) await notify(tx, newSignInMail, { recordId: account.id, email, language }, deviceFacts(device))
  return openSession(tx, account, device, { isNewDevice: isNew, providerId })
}
