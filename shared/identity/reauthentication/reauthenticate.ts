import type { AccountHolder } from '#shared/identity/holder.ts'
import type { Account, IdentityTx } from '#shared/identity/principal.ts'
import { limitFailedCodes } from '#shared/identity/throttling/failed-codes.ts'
import { type SecondFactor, verifySecondFactor } from '#shared/identity/two-factor/second-factor.ts'
import { confirmPassword, lockConfirmed } from './confirm-password.ts'

/** What a signed-in account presents again before a sensitive change. */
export interface Proof {
  password: string
  secondFactor: SecondFactor
}

/** Locks the account in the transaction of a change, verifies its second factor, and returns its holder. */
export type LockAccount<A extends Account> = (tx: IdentityTx) => Promise<AccountHolder<A>>

/**
 * Makes a change that a session alone must not make. It verifies the password, and the second factor of an account that
 * has one. Call it outside a transaction: `change` opens one and calls `lock` in it. A change that fails uses up no
 * code. Throws `auth.invalid_credentials`, `auth.totp_required` and `auth.totp_invalid`, and 429 `rate_limit.exceeded`
 * after too many failures.
 */
export async function reauthenticate<A extends Account, T>(
  storeId: string | null,
  account: A,
  { password, secondFactor }: Proof,
  change: (lock: LockAccount<A>) => Promise<T>,
): Promise<T> {
  const confirmed = await confirmPassword(storeId, account, password)
  // Count wrong codes, because each may be a guess of somebody with a stolen session and password.
  return limitFailedCodes(account.id, null, () =>
    change(async (tx) => {
      const holder = await lockConfirmed(tx, confirmed)
      await verifySecondFactor(tx, account, secondFactor)
      return holder
    }),
  )
}
