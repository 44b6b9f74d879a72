import { AuthErrors } from '../errors.ts'
import { type Arrival, countingFailures, readFailures } from './failures.ts'

/**
 * Has an account prove its second factor where its sign-in is not counted as a whole, and counts it when that fails. A
 * new password forgets none of it, for it was no guess at that: else whoever has session and password would begin anew
 * by choosing one. Where `arrival` is null no device helps.
 */
export const countingCodes = async <T>(
  accountId: string,
  arrival: Arrival | null,
  prove: () => Promise<T>,
): Promise<T> => {
  const tooOften = arrival ? AuthErrors.triedTooOften : AuthErrors.codesTriedTooOften
  return countingFailures(await readFailures(`failed codes ${accountId}`), arrival, prove, tooOften)
}
