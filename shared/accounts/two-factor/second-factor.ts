import { isSealedByOldKey } from '../../platform/crypto.ts'
import type { StoreTx } from '../../platform/store-scope.ts'
import type { AccountName } from '../account-name.ts'
import { AuthErrors } from '../errors.ts'
import { useRecoveryCode } from './recovery-code.ts'
import { stepOf } from './totp.ts'
import { openSecret, sealSecret, TwoFactor, twoFactorOf } from './two-factor.ts'

/** What proves the second factor: a code of the app, or one kept for the day it is lost. */
export interface SecondFactor {
  totpCode?: string | undefined
  recoveryCode?: string | undefined
}

/**
 * Lets pass who proves the second factor, and every account that has none. Throws `auth.totp_required` without a
 * code, `auth.totp_invalid` for one that is wrong or used.
 */
export async function passSecondFactor(
  tx: StoreTx,
  account: AccountName,
  given: SecondFactor,
): Promise<void> {
  const factor = await twoFactorOf(tx, account)
  if (factor?.enabledAt) await proveSecondFactor(tx, account, factor, given)
}

/** As `passSecondFactor`, for what only an account with two-factor sign-in can do: else `auth.totp_not_enabled`. */
export async function requireSecondFactor(
  tx: StoreTx,
  account: AccountName,
  given: SecondFactor,
): Promise<void> {
  const factor = await twoFactorOf(tx, account)
  if (!factor?.enabledAt) throw AuthErrors.totpNotEnabled()
  await proveSecondFactor(tx, account, factor, given)
}

async function proveSecondFactor(
  tx: StoreTx,
  account: AccountName,
  factor: TwoFactor,
  { totpCode, recoveryCode }: SecondFactor,
): Promise<void> {
  if (!totpCode && !recoveryCode) throw AuthErrors.totpRequired()
  const isProven = totpCode
    ? await useTotpCode(tx, account, factor, totpCode)
    : await useRecoveryCode(tx, account, recoveryCode ?? '')
  if (!isProven) throw AuthErrors.totpInvalid()
}

async function useTotpCode(
  tx: StoreTx,
  account: AccountName,
  factor: TwoFactor,
  code: string,
): Promise<boolean> {
  const secret = openSecret(factor)
  const step = stepOf(secret, code)
  if (step === null) return false
  // The row decides, not what was read of it: of many who come with one code at once, one must be let in.
  const accepted = await TwoFactor.in(tx)
    .findById(factor.id)
    .where('last_step', '<', step)
    .patch({
      lastStep: step,
      ...(isSealedByOldKey(factor.sealedSecret)
        ? { sealedSecret: sealSecret(tx.storeId, account, secret) }
        : {}),
    })
  return accepted === 1
}
