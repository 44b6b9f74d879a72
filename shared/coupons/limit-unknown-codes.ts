import { config } from '#shared/platform/config/config.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { consumeQuota, exhaustedUntil, readQuotaUsage } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, secondsUntil } from '#shared/platform/time/clock.ts'
import { CouponErrors } from './errors.ts'

/*
 * A coupon can be meant for one person, and its code can be short. Somebody who tries many codes would find one that
 * works. Only unknown codes count, because many shoppers with one address may use the same coupon.
 */

/**
 * Shoppers mistype codes, and some browser extensions try lists of codes. So a network has LIMIT_FAILURES times this
 * number.
 */
const NETWORK_LIMIT_FACTOR = 10

/**
 * Runs `use`, which takes a coupon by its code, and counts an unknown code for the network. Past the limit it throws
 * 429 `rate_limit.exceeded` without a look-up. A few concurrent attempts can exceed the limit. Call it outside a
 * transaction.
 */
export async function limitUnknownCodes<T>(
  { storeId, network }: { storeId: string; network: string },
  use: () => Promise<T>,
): Promise<T> {
  const most = config().LIMIT_FAILURES * NETWORK_LIMIT_FACTOR
  if (!most) return use()
  const subject = `unknown coupon codes ${storeId} ${network}`
  const until = exhaustedUntil(await readQuotaUsage(subject), most)
  if (until) throw CouponErrors.triedTooOften({ retryAfter: secondsUntil(until) })
  try {
    return await use()
  } catch (error) {
    if (error instanceof CodedError && error.code === CouponErrors.notFound.kind.code)
      await consumeQuota(subject, { limit: most, windowMs: HOUR_MS })
    throw error
  }
}
