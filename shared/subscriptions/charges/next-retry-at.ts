import { DAY_MS } from '#shared/platform/time/clock.ts'

/** A failed charge is retried this many days after its first failure. */
const RETRY_DAYS = [1, 3, 5, 7]

/** Returns the time of the next attempt of a charge after this many failed attempts; null after the last. */
export function nextRetryAt(firstFailedAt: Date, failedAttempts: number): Date | null {
  const days = RETRY_DAYS[failedAttempts - 1]
  return days === undefined ? null : new Date(firstFailedAt.getTime() + days * DAY_MS)
}
