import type { Device } from '#shared/identity/device.ts'
import { accountRow } from '#shared/identity/holder.ts'
import type { StoreAccount } from '#shared/identity/principal.ts'
import { completeSignIn, type SignedIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import type { SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { OauthErrors } from './errors.ts'

/**
 * Signs in to the account that an identity is linked to. The provider replaces only the password: the second factor is
 * verified as at any sign-in. Throws `auth.oauth_account_unavailable`, `auth.totp_required`, `auth.totp_invalid`.
 */
export async function signInLinked(
  tx: StoreTx,
  account: StoreAccount,
  device: Device,
  secondFactor: SecondFactor,
): Promise<SignedIn> {
  const row = await accountRow(tx, account).first('password_hash', 'is_active')
  if (!row?.is_active) throw OauthErrors.accountUnavailable()
  return completeSignIn(tx, { account, passwordHash: row.password_hash }, device, secondFactor)
}
