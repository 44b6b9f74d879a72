import { LRUCache } from 'lru-cache'
import { now, secondsUntil } from '../time/clock.ts'
import type { consumeQuota, QuotaGrant } from './quota.ts'

/** What is left of a limit after a request was counted, or refused because nothing was left. */
export interface RateLimitResult {
  isWithin: boolean
  /** Requests that may still come in this window, as far as this process knows. */
  left: number
  /** Until the window ends. */
  seconds: number
}

/** A limit for one subject: so many requests a minute, fetched `slice` at a time. */
export interface RateLimit {
  subject: string
  perMinute: number
  slice: number
}

interface Window extends QuotaGrant {
  /** Of what this process was granted, the rest. */
  own: number
}

// A subject that falls out loses what was granted for it, and is counted all the same.
const MAX_SUBJECTS = 20_000

/**
 * Counts requests against limits that all processes share. A process takes a slice of a subject's units and hands them
 * out by itself, so a request costs a round trip only once a slice, and none once it is known that nothing is left.
 * Never more than the limit pass in a window; with P processes, at most (P − 1) × (slice − 1) fewer: those that other
 * processes took and did not need. With a slice of 1 the count is exact.
 */
export function rateLimiter(take: typeof consumeQuota) {
  const windows = new LRUCache<string, Window>({ max: MAX_SUBJECTS })
  const taking = new Map<string, Promise<Window>>()

  return async function count(quota: RateLimit): Promise<RateLimitResult> {
    for (;;) {
      const window = windows.get(quota.subject)
      const isOpen = window !== undefined && window.endsAt > now()
      if (isOpen && window.own > 0) {
        window.own -= 1
        return toResult(window, true)
      }
      if (isOpen && window.left === 0) return toResult(window, false)
      await refill(quota)
    }
  }

  // Whoever finds the slice used up waits for the same next one.
  function refill({ subject, perMinute, slice }: RateLimit): Promise<Window> {
    const underWay = taking.get(subject)
    if (underWay) return underWay
    const refilled = take(subject, perMinute, slice)
      .then((grant) => {
        const window = { ...grant, own: grant.granted }
        windows.set(subject, window)
        return window
      })
      .finally(() => taking.delete(subject))
    taking.set(subject, refilled)
    return refilled
  }
}

const toResult = ({ own, left, endsAt }: Window, isWithin: boolean): RateLimitResult => ({
  isWithin,
  left: own + left,
  seconds: secondsUntil(endsAt),
})
