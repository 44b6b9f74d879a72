import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'

/** The pause before each attempt after the first (Standard Webhooks; decisions, section 8). */
export const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const

const JITTER = 0.1
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS

/**
 * Milliseconds until the attempt that follows `attempts` failed ones; null when there is none left. Up to a tenth is
 * added by chance, so that what failed together does not come back together. A receiver that asked for a longer pause
 * (Retry-After) gets it, up to a day.
 */
export function pauseAfter(
  attempts: number,
  retryAfterMs: number | null,
  chance: number = Math.random(),
): number | null {
  const pause = PAUSES_MS[attempts - 1]
  if (pause === undefined) return null
  const asked = Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS)
  return Math.round(Math.max(pause * (1 + JITTER * chance), asked))
}

/** The pause that a Retry-After header asks for (RFC 9110: seconds, or a date), in milliseconds; null when none. */
export function readRetryAfter(header: string | undefined, at: Date): number | null {
  if (!header) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - at.getTime())
}
