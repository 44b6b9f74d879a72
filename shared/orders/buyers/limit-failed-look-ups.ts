import { OrderErrors } from '#shared/orders/errors.ts'
import { config } from '#shared/platform/config/config.ts'
import { CodedError, CommonErrors } from '#shared/platform/errors.ts'
import { consumeQuota, exhaustedUntil, readQuotaUsage } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, secondsUntil } from '#shared/platform/time/clock.ts'
import { normalizeNumber } from './look-up-order.ts'

/*
 * The number of an order is on its parcel, so an attacker who knows it could guess the e-mail address. Failures are
 * counted by number, whether or not an order has it, so that the limit reveals no order.
 *
 * Nobody can lock the buyer out. Past the limit of all networks together, each network still has a few failures of its
 * own per hour.
 */

/** One network may have LIMIT_FAILURES divided by this number for one order number. */
const NETWORK_LIMIT_DIVISOR = 10
/** The failures of one network past the limit of all networks. */
const MAX_PAST_LIMIT = 3

interface Attempt {
  storeId: string
  number: string
  network: string
}

/**
 * Runs a look-up of an order, and counts its failure. Past a limit it throws 429 `rate_limit.exceeded` without a
 * look-up. A few concurrent attempts can exceed a limit.
 */
export async function limitFailedLookUps<T>(attempt: Attempt, lookUp: () => Promise<T>): Promise<T> {
  const { LIMIT_FAILURES: most } = config()
  if (!most) return lookUp()
  const until = await refusedUntil(attempt, most)
  if (until) throw OrderErrors.lookedUpTooOften({ retryAfter: secondsUntil(until) })
  try {
    return await lookUp()
  } catch (error) {
    if (error instanceof CodedError && error.code === CommonErrors.notFound.kind.code)
      await countFailure(attempt, most)
    throw error
  }
}

const subjectOfNumber = ({ storeId, number }: Attempt) =>
  `failed look-ups ${storeId} ${normalizeNumber(number)}`
// The network is first: a number may contain blanks and so the text of a network.
const subjectOfNetwork = (attempt: Attempt) => `${attempt.network} ${subjectOfNumber(attempt)}`
const networkLimit = (most: number): number => Math.ceil(most / NETWORK_LIMIT_DIVISOR)

/** Returns the time at which the network may look the number up again; null if it may now. */
async function refusedUntil(attempt: Attempt, most: number): Promise<Date | null> {
  const isPastLimit = exhaustedUntil(await readQuotaUsage(subjectOfNumber(attempt)), most) !== null
  const mostOfNetwork = isPastLimit ? Math.min(networkLimit(most), MAX_PAST_LIMIT) : networkLimit(most)
  return exhaustedUntil(await readQuotaUsage(subjectOfNetwork(attempt)), mostOfNetwork)
}

async function countFailure(attempt: Attempt, most: number): Promise<void> {
  await consumeQuota(subjectOfNumber(attempt), { limit: most, windowMs: HOUR_MS })
  await consumeQuota(subjectOfNetwork(attempt), { limit: networkLimit(most), windowMs: HOUR_MS })
}
