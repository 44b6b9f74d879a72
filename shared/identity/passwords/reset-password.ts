import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Device } from '../device.ts'
import { AuthErrors } from '../errors.ts'
import { lockHolder } from '../holder.ts'
import { type LinkToken, useLink } from '../links/link.ts'
import { principalOf, type StoreAccount } from '../principal.ts'
import { recordSecurityEvent } from '../security-event.ts'
import { openSession } from '../sessions/open-session.ts'
import { disableTwoFactor, readTwoFactor } from '../two-factor/two-factor.ts'
import { type NewPassword, setPassword } from './set-password.ts'

/** Gives the account of a mailed link a new password, and closes all its sessions. Throws `auth.link_invalid`. */
export async function resetPassword(
  tx: StoreTx,
  token: LinkToken,
  change: Pick<NewPassword, 'passwordHash' | 'device'>,
): Promise<void> {
  const { account } = await useLink(tx, token, 'reset_password')
  const holder = await lockHolder(tx, account)
  if (!holder.isActive) throw AuthErrors.linkInvalid()
  // Closed with all others, it makes the device a known one: failures elsewhere do not keep the owner from signing in
  // here.
  await openSession(tx, account, change.device)
  await setPassword(tx, holder, { ...change, reason: 'password_reset' })
  // The link was mailed to this address, so it is proven.
  const isFirstProof = await principalOf(account.type).markEmailVerified?.(tx, account.id)
  if (isFirstProof) await dropSecondFactor(tx, account, change.device)
}

// A stranger may have registered the account, and their app would lock the owner of the address out for ever.
async function dropSecondFactor(tx: StoreTx, account: StoreAccount, device: Device): Promise<void> {
  const { isEnabled } = await readTwoFactor(tx, account)
  await disableTwoFactor(tx, account)
  if (isEnabled) await recordSecurityEvent(tx, 'two_factor_reset', account, device)
}
