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
import { nameLinkedProviders } from '#shared/identity-providers/name-linked-providers.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { revokeTokensOfMember } from '#shared/staff/api-tokens/revoke-tokens-of-member.ts'

/**
 * Sets a new password for the account of a mailed link, and closes all its sessions. The first proof of an address also
 * ends what an earlier user could keep. Throws `auth.link_invalid`.
 */
export async function resetPassword(
  tx: StoreTx,
  token: LinkToken,
  change: Pick<PasswordChange, 'passwordHash' | 'device'>,
): Promise<void> {
  const { account } = await useLink(tx, token, 'reset_password')
  const holder = await lockHolder(tx, account)
  if (!holder.isActive) throw AuthErrors.linkInvalid()
  // This session is closed with all others, but makes the device a known one. So failures elsewhere do not stop the
  // owner from signing in here.
  await openSession(tx, account, change.device)
  // The link was mailed to this address, so the owner has proven it.
  const isFirstProof = await principalOf(account.type).markEmailVerified?.(tx, account.id)
  const providers = isFirstProof ? [] : await nameLinkedProviders(tx, account)
  await setPassword(tx, holder, { ...change, providers, reason: 'password_reset' })
  if (!isFirstProof) return
  // An attacker may have registered the account, or a store may have added the address to its staff. Their app would
  // lock the owner of the address out for ever, and the attacker's addresses would get the owner's goods. A customer's
  // account that ever had a proven address keeps its factor. Otherwise a thief could change the address, then drop it.
  await resetSecondFactor(tx, account, change.device)
  await unlinkAccount(tx, account)
  if (account.type === 'staff') await revokeTokensOfMember(tx, account.id)
  // Nobody could sign in without a password: staff have entered or imported the data.
  if (account.type === 'customer' && holder.passwordHash !== null) await discardUnprovenData(tx, account.id)
}

async function resetSecondFactor(tx: StoreTx, account: StoreAccount, device: Device): Promise<void> {
  const { isEnabled } = await readTwoFactor(tx, account)
  await deleteSecondFactor(tx, account)
  if (isEnabled) await recordSecurityEvent(tx, 'two_factor_reset', account, device)
}
