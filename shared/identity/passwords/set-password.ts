import { inScope } from '#shared/platform/db/store-scope.ts'
import type { Device } from '../device.ts'
import { type AccountHolder, accountRow } from '../holder.ts'
import { voidLinks } from '../links/link.ts'
import { deviceFacts } from '../mails/device.ts'
import { notify } from '../mails/notify.ts'
import { passwordChangedMail } from '../mails/password-changed.ts'
import type { Account, IdentityTx, StoreAccount } from '../principal.ts'
import { recordSecurityEvent } from '../security-event.ts'
import { closeAllSessions } from '../sessions/close-sessions.ts'
import type { Credentials } from '../sign-in/find-credentials.ts'
import { resetFailures } from '../throttling/failures.ts'
import { rehashAtPresentCost } from './password.ts'

/** The hash of a new password, with the reason and the device of the change. */
export interface NewPassword {
  passwordHash: string
  reason: 'password_changed' | 'password_reset'
  device: Device
  /** The session that goes on. */
  keep?: string
}

/**
 * Gives an account a new password: closes its sessions and notifies its holder. Voids links to reset the password, and
 * to change the address, which somebody with the old password may have requested. Resets failed sign-ins and
 * confirmations, but not failed codes.
 */
export async function setPassword(
  tx: IdentityTx,
  holder: AccountHolder,
  { passwordHash, reason, device, keep }: NewPassword,
): Promise<void> {
  const { account } = holder
  await writeHash(tx, account, passwordHash)
  await closeAllSessions(tx, account, reason, { except: keep })
  if (tx.storeId) await voidLinks(tx, account as StoreAccount, 'reset_password', 'change_email')
  await recordSecurityEvent(tx, reason, account, device)
  await resetFailures(tx, holder, device)
  await notify(tx, passwordChangedMail, holder, deviceFacts(device))
}

/**
 * Stores the hash of a verified password at today's cost, if it was stored at another, unless the password changed
 * since. Returns the credentials with the present hash. So a stolen hash costs today's price, though nobody chose a new
 * password.
 */
export async function renewPasswordHash(credentials: Credentials, password: string): Promise<Credentials> {
  const { account, storeId, passwordHash: stored } = credentials
  if (stored === null) return credentials
  const passwordHash = await rehashAtPresentCost(password, stored)
  if (passwordHash !== stored) await inScope(storeId, (tx) => writeHash(tx, account, passwordHash, stored))
  return { ...credentials, passwordHash }
}

async function writeHash(tx: IdentityTx, account: Account, hash: string, replaced?: string): Promise<void> {
  const row = accountRow(tx, account)
  if (replaced) row.where('password_hash', replaced)
  await row.update({ password_hash: hash })
}
