import { CommonErrors } from '#shared/platform/errors.ts'
import { secondsUntil } from '#shared/platform/time/clock.ts'
import { consumeQuota } from './quota.ts'

/** The hosts of webhooks and of the external catalog that a store's staff may have looked up in a minute. */
const PER_MINUTE = 60

/** Counts the look-up of a host that a store's staff name. Throws 429 `rate_limit.exceeded`. */
export async function limitHostLookUps(storeId: string): Promise<void> {
  const { granted, endsAt } = await consumeQuota(`host look-ups of ${storeId}`, { limit: PER_MINUTE })
  if (!granted) throw CommonErrors.rateLimitExceeded({ retryAfter: secondsUntil(endsAt) })
}
