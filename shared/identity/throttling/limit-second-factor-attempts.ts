import type { Account } from '#shared/identity/principal.ts'
import { config } from '#shared/platform/config/config.ts'
import { assertWithin, countWithin } from '#shared/platform/throttle/count-within.ts'

/** The name of the limit LIMIT_CODES. The operations of a signed-in account count by it, too. */
export const CODES_LIMIT = 'codes'

/** Counts an attempt at a second factor after a correct password, from any address. Throws `rate_limit.exceeded`. */
export async function limitSecondFactorAttempts({ type, id }: Account): Promise<void> {
  const { LIMIT_CODES: perMinute } = config()
  if (!perMinute) return
  assertWithin(await countWithin({ subject: `${CODES_LIMIT} ${type}:${id}`, perMinute, isExact: true }))
}
