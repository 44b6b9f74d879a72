import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/platform/time/clock.ts'

/** The delay before each attempt after the first (Standard Webhooks). */
export const RETRY_DELAYS_MS = [
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
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/**
 * Returns the milliseconds until the next attempt after `attempts` failed ones; null after the last. Jitter adds up to
 * a tenth, so that deliveries that failed together are not retried together. A longer Retry-After is respected, up to a
 * day.
 */
export function retryDelayMs(
  attempts: number,
  retryAfterMs: number | null,
  random: number = Math.random(),
): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1]
  if (delayMs === undefined) return null
  const requestedMs = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
  return Math.round(Math.max(delayMs * (1 + JITTER * random), requestedMs))
}
