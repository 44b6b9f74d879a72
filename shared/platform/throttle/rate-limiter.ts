import { LRUCache } from 'lru-cache'
import { now, secondsUntil } from '#shared/platform/time/clock.ts'
import type { consumeQuota, QuotaGrant } from './quota.ts'

/** The result of counting one request against a limit. */
export interface RateLimitResult {
  isWithin: boolean
  /** The requests left in this window, as far as this process knows. */
  left: number
  /** Seconds until the window ends. */
  seconds: number
}

/** The limit of one subject. The process consumes `slice` units of the quota at a time. */
export interface RateLimit {
  subject: string
  perMinute: number
  slice: number
}

interface Window extends QuotaGrant {
  /** Granted units that this process has not used yet. */
  unused: number
}

// An evicted subject loses its unused units. Its requests are still counted.
const MAX_SUBJECTS = 20_000

/**
 * Creates the in-process rate limiter over the shared quotas. A process consumes a slice of a subject's units and
 * counts requests against it in memory. So there is one round trip for each slice, and none after the last unit. A
 * window never allows more than the limit. With P processes it may allow up to (P − 1) × (slice − 1) fewer, because
 * other processes consumed units without using them. With a slice of 1 the count is exact.
 */
export function rateLimiter(consume: typeof consumeQuota) {
  const windows = new LRUCache<string, Window>({ max: MAX_SUBJECTS })
  const refills = new Map<string, Promise<Window>>()

  /** Nearly every count needs no round trip. It returns at once, because each promise takes a request some time. */
  return (quota: RateLimit): RateLimitResult | Promise<RateLimitResult> =>
    countInWindow(quota.subject) ?? countAfterRefill(quota)

  function countInWindow(subject: string): RateLimitResult | undefined {
    const window = windows.get(subject)
    if (window === undefined || window.endsAt <= now()) return undefined
    if (window.unused > 0) {
      window.unused -= 1
      return toResult(window, true)
    }
    return window.left === 0 ? toResult(window, false) : undefined
  }

  async function countAfterRefill(quota: RateLimit): Promise<RateLimitResult> {
    for (;;) {
      await refill(quota)
      const result = countInWindow(quota.subject)
      if (result) return result
    }
  }

  // All requests that find an empty slice wait for the same refill.
  function refill({ subject, perMinute, slice }: RateLimit): Promise<Window> {
    const running = refills.get(subject)
    if (running) return running
    const refilled = consume(subject, { limit: perMinute, units: slice })
      .then((grant) => {
        const window = { ...grant, unused: grant.granted }
        windows.set(subject, window)
        return window
      })
      .finally(() => refills.delete(subject))
    refills.set(subject, refilled)
    return refilled
  }
}

const toResult = ({ unused, left, endsAt }: Window, isWithin: boolean): RateLimitResult => ({
  isWithin,
  left: unused + left,
  seconds: secondsUntil(endsAt),
})
