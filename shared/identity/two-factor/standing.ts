import type { FactorOwner } from './factor-owner.ts'
import { countRecoveryCodes } from './recovery-code.ts'
import { findTwoFactor } from './two-factor.ts'

/** What its owner sees of a second factor. */
export interface TwoFactorStanding {
  isEnabled: boolean
  recoveryCodesRemaining: number
}

export async function readTwoFactor(owner: FactorOwner): Promise<TwoFactorStanding> {
  const factor = await findTwoFactor(owner)
  if (!factor?.enabled_at) return { isEnabled: false, recoveryCodesRemaining: 0 }
  return { isEnabled: true, recoveryCodesRemaining: await countRecoveryCodes(owner) }
}
