import { AuthErrors } from '#shared/identity/errors.ts'
import { type AccountHolder, findHolder, lockHolder } from '#shared/identity/holder.ts'
import { callerByAccount } from '#shared/identity/passwords/hash-caller.ts'
import { isPassword } from '#shared/identity/passwords/password.ts'
import type { Account, IdentityTx } from '#shared/identity/principal.ts'
import { limitFailedConfirmations } from '#shared/identity/throttling/failed-confirmations.ts'
import { inScope } from '#shared/platform/db/store-scope.ts'

/** An account whose password was just confirmed. */
export interface ConfirmedAccount<A extends Account = Account> {
  account: A
  passwordHash: string
}

/**
 * Verifies the password again before a sensitive change. Call it outside a transaction, so that no connection waits for
 * the slow hash. `lockConfirmed` then checks that nothing has changed. Throws `auth.invalid_credentials`, and 429
 * `rate_limit.exceeded` after too many failures.
 */
export const confirmPassword = <A extends Account>(
  storeId: string | null,
  account: A,
  password: string,
): Promise<ConfirmedAccount<A>> =>
  limitFailedConfirmations(account.id, async () => {
    const { passwordHash } = await inScope(storeId, (tx) => findHolder(tx, account))
    if (
      !(await isPassword(password, passwordHash, callerByAccount(storeId, account.id))) ||
      passwordHash === null
    )
      throw AuthErrors.invalidCredentials()
    return { account, passwordHash }
  })

/**
 * Locks the account. Throws `auth.invalid_credentials` if the account is inactive, or its password has changed since.
 */
export async function lockConfirmed<A extends Account>(
  tx: IdentityTx,
  { account, passwordHash }: ConfirmedAccount<A>,
): Promise<AccountHolder<A>> {
  const holder = await lockHolder(tx, account)
  if (!holder.isActive || holder.passwordHash !== passwordHash) throw AuthErrors.invalidCredentials()
  return holder
}
