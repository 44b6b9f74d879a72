import { HOUR_MS, MINUTE_MS } from '#shared/platform/time/clock.ts'

const FIRST_DELAY_MS = 5 * MINUTE_MS
const LONGEST_DELAY_MS = 12 * HOUR_MS

/**
 * Returns the delay after a failed refund of a surplus: 5 minutes, doubling with each attempt up to 12 hours.
 */
export const surplusRetryDelayMs = (attempts: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, attempts - 1), LONGEST_DELAY_MS)
