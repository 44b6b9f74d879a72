import { AuthErrors } from '#shared/identity/errors.ts'
import type { Account, IdentityTx } from '#shared/identity/principal.ts'
import { useRecoveryCode } from './recovery-code.ts'
import { stepOf } from './totp.ts'
import { findTwoFactor, sealerOf, type TwoFactor, twoFactorRow } from './two-factor.ts'

/** A proof of the second factor: a code of the app, or a recovery code. */
export interface SecondFactor {
  totpCode?: string | undefined
  recoveryCode?: string | undefined
}

/** Whether a code is given, right or wrong. */
export const hasCode = ({ totpCode, recoveryCode }: SecondFactor): boolean =>
  Boolean(totpCode || recoveryCode)

/** The kind of code that proved a second factor. */
export type SecondFactorProof = 'totp_code' | 'recovery_code'

/**
 * Verifies the second factor of an account. Returns the kind of code; null if the account has no second factor. Throws
 * `auth.totp_required` without a code, and `auth.totp_invalid` for a wrong or used code.
 */
export async function verifySecondFactor(
  tx: IdentityTx,
  account: Account,
  given: SecondFactor,
): Promise<SecondFactorProof | null> {
  const factor = await findTwoFactor(tx, account)
  return factor?.enabled_at ? verifyProof(tx, account, factor, given) : null
}

async function verifyProof(
  tx: IdentityTx,
  account: Account,
  factor: TwoFactor,
  given: SecondFactor,
): Promise<SecondFactorProof> {
  if (!hasCode(given)) throw AuthErrors.totpRequired()
  const { totpCode, recoveryCode } = given
  const isProven = totpCode
    ? await useTotpCode(tx, account, factor, totpCode)
    : await useRecoveryCode(tx, account, recoveryCode ?? '')
  if (!isProven) throw AuthErrors.totpInvalid()
  return totpCode ? 'totp_code' : 'recovery_code'
}

async function useTotpCode(
  tx: IdentityTx,
  account: Account,
  factor: TwoFactor,
  code: string,
): Promise<boolean> {
  const step = stepOf(sealerOf(tx, account).open(factor.sealed_secret), code)
  if (step === null) return false
  // The update decides, not the row that was read: only one of many requests with the same code succeeds.
  const accepted = await twoFactorRow(tx, account).where('last_step', '<', step).update({ last_step: step })
  return accepted === 1
}
