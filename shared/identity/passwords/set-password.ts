import type { Device } from '#shared/identity/device.ts'
import { type AccountHolder, accountRow } from '#shared/identity/holder.ts'
import { voidLinks } from '#shared/identity/links/link.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { notify } from '#shared/identity/mails/notify.ts'
import { passwordChangedMail } from '#shared/identity/mails/password-changed.ts'
import type { Account, IdentityTx, StoreAccount } from '#shared/identity/principal.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { closeSessionsOfAccount } from '#shared/identity/sessions/close-sessions.ts'
import type { Credentials } from '#shared/identity/sign-in/find-credentials.ts'
import { resetFailures } from '#shared/identity/throttling/reset-failures.ts'
import { inScope } from '#shared/platform/db/store-scope.ts'
import { rehashAtPresentCost } from './password.ts'

/** The hash of a new password, with the reason and the device of the change. */
export interface PasswordChange {
  passwordHash: string
  reason: 'password_changed' | 'password_reset'
  device: Device
  /** The id of the session that stays open. */
  keep?: string
  /** The names of the identity providers that still sign in to the account. */
  providers?: string[]
}

/**
 * Sets a new password, closes the account's sessions and notifies its holder. Voids links to reset the password or
 * change the address, because somebody with the old password may have requested them. Resets failed sign-ins and
 * confirmations, but not failed codes.
 */
export async function setPassword(
  tx: IdentityTx,
  holder: AccountHolder,
  { passwordHash, reason, device, keep, providers = [] }: PasswordChange,
): Promise<void> {
  const { account } = holder
  await writeHash(tx, account, passwordHash)
  await closeSessionsOfAccount(tx, account, reason, { except: keep })
  if (tx.storeId) await voidLinks(tx, account as StoreAccount, 'reset_password', 'change_email')
  await recordSecurityEvent(tx, reason, account, device)
  await resetFailures(tx, holder)
  await notify(tx, passwordChangedMail, holder, { providers, ...deviceFacts(device) })
}

/**
 * Hashes a verified password again if its hash was made at another cost than today's, so that every hash is as hard to
 * guess as a new one. A password that was changed since is not overwritten. Returns the credentials with the new hash.
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
