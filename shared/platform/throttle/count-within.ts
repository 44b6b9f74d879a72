import { CommonErrors } from '#shared/platform/errors.ts'
import { consumeQuota } from './quota.ts'
import { type RateLimitResult, rateLimiter } from './rate-limiter.ts'

export const WINDOW_SECONDS = 60
// Each process takes a thirtieth of a limit at a time. With four processes, a limit of 300 may refuse from 273 on.
const SLICES = 30

const count = rateLimiter(consumeQuota)

/**
 * Counts a request of a subject against its limit per minute. An exact count takes one at a time. Returns at once while
 * this process has units of the quota left.
 */
export const countWithin = ({
  subject,
  perMinute,
  isExact = false,
}: {
  subject: string
  perMinute: number
  isExact?: boolean
}): RateLimitResult | Promise<RateLimitResult> =>
  count({ subject, perMinute, slice: isExact ? 1 : Math.max(1, Math.floor(perMinute / SLICES)) })

/** Throws 429 `rate_limit.exceeded` past a limit. */
export function assertWithin({ isWithin, seconds }: RateLimitResult): void {
  if (!isWithin) throw CommonErrors.rateLimitExceeded({ retryAfter: seconds })
}
