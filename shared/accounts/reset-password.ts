import { discardUnprovenData } from '#shared/customer-records/discard-unproven-data.ts'
import type { Device } from '#shared/identity/device.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { lockHolder } from '#shared/identity/holder.ts'
import { unlinkAccount } from '#shared/identity/identity-link.ts'
import { type LinkToken, useLink } from '#shared/identity/links/link.ts'
import { type PasswordChange, setPassword } from '#shared/identity/passwords/set-password.ts'
import { principalOf, type StoreAccount } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { deleteSecondFactor, readTwoFactor } from '#shared/identity/two-factor/two-factor.ts'
import { nameLinkedIdentityProviders } from '#shared/identity-providers/name-linked-identity-providers.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { revokeApiTokensOfMember } from '#shared/staff/api-tokens/revoke-api-tokens-of-member.ts'

/**
 * Sets a new password for the account of a mailed link, and closes all its sessions. If the link is the first proof of
 * the address, also removes what somebody else may have added to the account: the second factor, links to identity
 * providers, API tokens, and a customer's unproven data. Throws `auth.link_invalid`.
 */
export async function resetPassword(
  tx: StoreTx,
  token: LinkToken,
  change: Pick<PasswordChange, 'passwordHash' | 'device'>,
): Promise<void> {
  const { account } = await useLink(tx, token, 'reset_password')
  const holder = await lockHolder(tx, account)
  if (!holder.isActive) throw AuthErrors.linkInvalid()
  // `setPassword` closes this session with all others. It makes the device a known one, so that failed sign-ins
  // elsewhere do not stop the owner from signing in here.
  await openSession(tx, account, change.device)
  // The link was mailed to this address, so the owner has proven it.
  const isFirstProof = await principalOf(account.type).markEmailVerified?.(tx, account.id)
  const providers = isFirstProof ? [] : await nameLinkedIdentityProviders(tx, account)
  await setPassword(tx, holder, { ...change, providers, reason: 'password_reset' })
  if (!isFirstProof) return
  // Somebody else may have opened the account with this address. The codes of their app would lock the owner out for
  // ever, and the owner's orders would be shipped to their addresses. A customer's account that ever had a proven
  // address keeps its second factor: otherwise a thief could change the address, then reset the factor.
  await resetSecondFactor(tx, account, change.device)
  await unlinkAccount(tx, account)
  if (account.type === 'staff') await revokeApiTokensOfMember(tx, account.id)
  // Keep the data of a customer without a password: nobody could sign in, so staff entered or imported it.
  if (account.type === 'customer' && holder.passwordHash !== null) await discardUnprovenData(tx, account.id)
}

async function resetSecondFactor(tx: StoreTx, account: StoreAccount, device: Device): Promise<void> {
  const { isEnabled } = await readTwoFactor(tx, account)
  await deleteSecondFactor(tx, account)
  if (isEnabled) await recordSecurityEvent(tx, 'two_factor_reset', account, device)
}
