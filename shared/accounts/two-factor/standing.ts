import type { StoreTx } from '../../platform/store-scope.ts'
import type { AccountName } from '../account-name.ts'
import { countRecoveryCodes } from './recovery-code.ts'
import { twoFactorOf } from './two-factor.ts'

/** What an account's owner sees of their second factor. */
export interface TwoFactorStanding {
  isEnabled: boolean
  recoveryCodesRemaining: number
}

export async function readTwoFactor(tx: StoreTx, account: AccountName): Promise<TwoFactorStanding> {
  const factor = await twoFactorOf(tx, account)
  if (!factor?.enabledAt) return { isEnabled: false, recoveryCodesRemaining: 0 }
  return { isEnabled: true, recoveryCodesRemaining: await countRecoveryCodes(tx, account) }
}
