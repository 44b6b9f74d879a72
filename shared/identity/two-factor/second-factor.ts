import { AuthErrors } from '../errors.ts'
import type { FactorOwner } from './factor-owner.ts'
import { useRecoveryCode } from './recovery-code.ts'
import { stepOf } from './totp.ts'
import { factorRow, findTwoFactor, type TwoFactor } from './two-factor.ts'

/** What proves the second factor: a code of the app, or one kept for the day it is lost. */
export interface SecondFactor {
  totpCode?: string | undefined
  recoveryCode?: string | undefined
}

/** What a second factor was proven by. */
export type Proof = 'totp_code' | 'recovery_code'

/**
 * Lets pass who proves the second factor, and everyone who has none. Returns by what. Throws `auth.totp_required`
 * without a code, `auth.totp_invalid` for one that is wrong or used.
 */
export async function passSecondFactor(owner: FactorOwner, given: SecondFactor): Promise<Proof | null> {
  const factor = await findTwoFactor(owner)
  return factor?.enabled_at ? proveSecondFactor(owner, factor, given) : null
}

/** As `passSecondFactor`, for what only an owner of two-factor sign-in can do: else `auth.totp_not_enabled`. */
export async function requireSecondFactor(owner: FactorOwner, given: SecondFactor): Promise<void> {
  const factor = await findTwoFactor(owner)
  if (!factor?.enabled_at) throw AuthErrors.totpNotEnabled()
  await proveSecondFactor(owner, factor, given)
}

async function proveSecondFactor(
  owner: FactorOwner,
  factor: TwoFactor,
  { totpCode, recoveryCode }: SecondFactor,
): Promise<Proof> {
  if (!totpCode && !recoveryCode) throw AuthErrors.totpRequired()
  const isProven = totpCode
    ? await useTotpCode(owner, factor, totpCode)
    : await useRecoveryCode(owner, recoveryCode ?? '')
  if (!isProven) throw AuthErrors.totpInvalid()
  return totpCode ? 'totp_code' : 'recovery_code'
}

async function useTotpCode(owner: FactorOwner, factor: TwoFactor, code: string): Promise<boolean> {
  const step = stepOf(owner.secret.open(factor.sealed_secret), code)
  if (step === null) return false
  // The row decides, not what was read of it: of many who come with one code at once, one must be let in.
  const accepted = await factorRow(owner).where('last_step', '<', step).update({ last_step: step })
  return accepted === 1
}
