import { AuthErrors } from '#shared/identity/errors.ts'
import type { PlatformTx } from '#shared/platform/db/store-scope.ts'
import { resetQuotas } from '#shared/platform/throttle/quota.ts'
import { knownDevicesSubject, limitFailures, type Origin, readFailures } from './limit-failures.ts'

const codesSubject = (accountId: string): string => `failed codes ${accountId}`

/**
 * Limits the wrong codes of an account, at its sign-in too. A new password does not reset this count, because a thief
 * with session and password could set one to go on guessing. Without an origin, no device is exempt.
 */
export const limitFailedCodes = async <T>(
  accountId: string,
  origin: Origin | null,
  verify: () => Promise<T>,
): Promise<T> => {
  const tooMany = origin ? AuthErrors.triedTooOften : AuthErrors.codesTriedTooOften
  const failures = await readFailures(codesSubject(accountId))
  return limitFailures(failures, origin, { counts: AuthErrors.totpInvalid, tooMany }, verify)
}

/** Resets the failed codes of an account, for the operator. */
export async function resetFailedCodes({ knex }: PlatformTx, accountId: string): Promise<void> {
  const subject = codesSubject(accountId)
  await resetQuotas(knex, subject, knownDevicesSubject(subject))
}
