import { inScope } from '#shared/platform/db/store-scope.ts'
import { AuthErrors } from '../errors.ts'
import { type AccountHolder, findHolder, lockHolder } from '../holder.ts'
import type { Account, IdentityTx } from '../principal.ts'
import { limitFailedConfirmations } from '../throttling/failures.ts'
import { isPassword } from './password.ts'

/** An account whose password was just given. */
export interface ConfirmedAccount<A extends Account = Account> {
  account: A
  passwordHash: string
}

/**
 * Asks for the password again before a sensitive change. It runs outside a transaction, so that no connection waits for
 * the slow hash; `lockConfirmed` then checks that nothing changed. Throws `auth.invalid_credentials`, and 429
 * `rate_limit.exceeded` after too many failures.
 */
export const confirmPassword = <A extends Account>(
  storeId: string | null,
  account: A,
  password: string,
): Promise<ConfirmedAccount<A>> =>
  limitFailedConfirmations(account.id, async () => {
    const { passwordHash } = await inScope(storeId, (tx) => findHolder(tx, account))
    if (!(await isPassword(password, passwordHash, account.id)) || passwordHash === null)
      throw AuthErrors.invalidCredentials()
    return { account, passwordHash }
  })

/** Locks the account, and throws `auth.invalid_credentials` unless the password that was given is still its own. */
export async function lockConfirmed<A extends Account>(
  tx: IdentityTx,
  { account, passwordHash }: ConfirmedAccount<A>,
): Promise<AccountHolder<A>> {
  const holder = await lockHolder(tx, account)
  if (!holder.isActive || holder.passwordHash !== passwordHash) throw AuthErrors.invalidCredentials()
  return holder
}
