import { AuthErrors } from '#shared/identity/errors.ts'
import { limitFailures, readFailures } from './limit-failures.ts'

export const confirmationsSubject = (accountId: string): string => `failed confirmations ${accountId}`

/**
 * Limits the wrong passwords of a signed-in account. A stolen session may not guess more often than a caller without a
 * session.
 */
export const limitFailedConfirmations = async <T>(
  accountId: string,
  verify: () => Promise<T>,
): Promise<T> => {
  const failures = await readFailures(confirmationsSubject(accountId))
  const limit = { counts: AuthErrors.invalidCredentials, tooMany: AuthErrors.confirmedTooOften }
  return limitFailures(failures, null, limit, verify)
}
