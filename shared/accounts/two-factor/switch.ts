import { now } from '../../platform/clock.ts'
import { newId } from '../../platform/id.ts'
import type { StoreTx } from '../../platform/store-scope.ts'
import { type AccountName, rowsOf } from '../account-name.ts'
import { AuthErrors } from '../errors.ts'
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-code.ts'
import { newSecret, stepOf } from './totp.ts'
import { openSecret, sealSecret, TwoFactor, twoFactorOf } from './two-factor.ts'

/** Makes a secret to switch on next; one that was not switched on is replaced. `auth.totp_already_enabled` otherwise. */
export async function setUpTwoFactor(tx: StoreTx, account: AccountName): Promise<string> {
  const secret = newSecret()
  const row = {
    ...rowsOf(account),
    store_id: tx.storeId,
    id: newId(),
    sealed_secret: sealSecret(tx.storeId, account, secret),
    created_at: now(),
  }
  const written = await tx
    .knex('two_factor')
    .insert(row)
    .onConflict(['store_id', 'account_type', 'account_id'])
    .merge(['sealed_secret', 'created_at'])
    .whereNull('two_factor.enabled_at')
    .returning('id')
  if (!written.length) throw AuthErrors.totpAlreadyEnabled()
  return secret
}

/**
 * Switches two-factor sign-in on for who shows that their app has the secret, and returns the ten recovery codes.
 * Throws `auth.totp_not_set_up`, `auth.totp_already_enabled`, `auth.totp_invalid`.
 */
export async function enableTwoFactor(tx: StoreTx, account: AccountName, code: string): Promise<string[]> {
  const factor = await twoFactorOf(tx, account).forUpdate()
  if (!factor) throw AuthErrors.totpNotSetUp()
  if (factor.enabledAt) throw AuthErrors.totpAlreadyEnabled()
  const step = stepOf(openSecret(factor), code)
  if (step === null) throw AuthErrors.totpInvalid()
  // The code is spent with it: whoever looked on cannot sign in by it.
  await TwoFactor.in(tx).findById(factor.id).patch({ enabledAt: now(), lastStep: step })
  return replaceRecoveryCodes(tx, account)
}

/** Switches two-factor sign-in off: secret and recovery codes are deleted. */
export async function disableTwoFactor(tx: StoreTx, account: AccountName): Promise<void> {
  await TwoFactor.in(tx).where(rowsOf(account)).delete()
  await deleteRecoveryCodes(tx, account)
}
