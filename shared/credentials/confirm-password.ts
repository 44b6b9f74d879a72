import type { AccountName } from '#shared/identity/account.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { isPassword } from '#shared/identity/passwords/password.ts'
import { countingConfirmations } from '#shared/identity/throttling/failed-confirmations.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { findHolder, type Holder, lockHolder } from './holder.ts'

/** An account whose holder has just given its password. */
export interface Confirmed {
  storeId: string
  account: AccountName
  passwordHash: string
}

/**
 * Asks for the password again before something grave. It stands outside a transaction, for no connection should wait
 * for the slow hash; `lockConfirmed` then holds the account to what was found. Throws `auth.invalid_credentials`, and 429
 * `rate_limit.exceeded` once that was too often.
 */
export const confirmPassword = (
  storeId: string,
  account: AccountName,
  password: string,
): Promise<Confirmed> =>
  countingConfirmations(account.id, async () => {
    const { passwordHash } = await inStore(storeId, (tx) => findHolder(tx, account))
    if (!(await isPassword(password, passwordHash)) || passwordHash === null)
      throw AuthErrors.invalidCredentials()
    return { storeId, account, passwordHash }
  })

/** Locks the account and makes sure that the password which was given is still its own. */
export async function lockConfirmed(tx: StoreTx, { account, passwordHash }: Confirmed): Promise<Holder> {
  const holder = await lockHolder(tx, account)
  if (!holder.isActive || holder.passwordHash !== passwordHash) throw AuthErrors.invalidCredentials()
  return holder
}
