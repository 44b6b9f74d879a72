import type { Device } from '#shared/identity/device.ts'
import { accountRow } from '#shared/identity/holder.ts'
import { IdentityLink } from '#shared/identity/identity-link.ts'
import { rowsOf } from '#shared/identity/principal.ts'
import { completeSignIn, type SignedIn } from '#shared/identity/sign-in/complete-sign-in.ts'
import type { SecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { OauthErrors } from './errors.ts'

type ProviderAccount = Pick<IdentityLink, 'providerId' | 'accountType' | 'accountId'>

/**
 * Signs in to the account that an identity is linked to. The provider replaces only the password: the second factor is
 * verified as at any sign-in. Throws `auth.oauth_account_unavailable`, `auth.totp_required`, `auth.totp_invalid`, and
 * `auth.oauth_code_invalid` if the link was deleted.
 */
export async function signInLinked(
  tx: StoreTx,
  { providerId, accountType: type, accountId: id }: ProviderAccount,
  device: Device,
  secondFactor: SecondFactor,
): Promise<SignedIn> {
  const account = { type, id }
  // Lock before the link is read: a concurrent change of the address deletes it.
  const row = await accountRow(tx, account).forShare().first('password_hash', 'is_active')
  if (!row?.is_active) throw OauthErrors.accountUnavailable()
  const link = await IdentityLink.in(tx).findOne({ provider_id: providerId, ...rowsOf(tx, account) })
  if (!link) throw OauthErrors.codeInvalid()
  return completeSignIn(tx, { account, passwordHash: row.password_hash, providerId }, device, secondFactor)
}
