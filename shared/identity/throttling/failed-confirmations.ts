import { AuthErrors } from '../errors.ts'
import { countingFailures, readFailures } from './failures.ts'

/**
 * Asks a signed-in account for its password, and counts it when it is wrong: whoever came by the session alone is to
 * guess no longer than a stranger. No device helps; a new password does.
 */
export const countingConfirmations = async <T>(accountId: string, confirm: () => Promise<T>): Promise<T> =>
  countingFailures(
    await readFailures(confirmationsOf(accountId)),
    null,
    confirm,
    AuthErrors.confirmedTooOften,
  )

/** What they are counted by. */
export const confirmationsOf = (accountId: string): string => `failed confirmations ${accountId}`
