import { normalizeEmail } from '#shared/identity/email.ts'
import { config } from '#shared/platform/config/config.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { consumeQuotaIn, exhaustedUntil, readQuotaUsage } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, secondsUntil } from '#shared/platform/time/clock.ts'

/*
 * An order that is paid later costs its sender nothing, but mails a confirmation to any address and reserves stock for
 * days. These orders are counted by the sender's network over all stores, and by e-mail address in each store.
 */

/** One e-mail address in one store may have LIMIT_ORDERS divided by this number. */
const EMAIL_LIMIT_DIVISOR = 10

const subjectOf = (network: string): string => `unpaid orders of ${network}`

/**
 * Counts an order that is paid later, right before the commit. Past a limit the commit fails with 429
 * `rate_limit.exceeded`.
 */
export function countUnpaidOrder(tx: StoreTx, { network, email }: { network: string; email: string }): void {
  const { LIMIT_ORDERS: most } = config()
  if (!most) return
  tx.beforeCommit(
    'unpaid orders',
    async () => {
      await consume(
        tx,
        `unpaid orders of ${normalizeEmail(email)} in ${tx.storeId}`,
        Math.ceil(most / EMAIL_LIMIT_DIVISOR),
      )
      await consume(tx, subjectOf(network), most)
    },
    'quotas',
  )
}

async function consume(tx: StoreTx, subject: string, most: number): Promise<void> {
  const until = await consumeQuotaIn(tx, subject, most, HOUR_MS)
  if (until) throw CommonErrors.rateLimited({ retryAfter: secondsUntil(until) })
}

/** Whether a network has reached half of its limit of unpaid orders, which suggests that a program places them. */
export async function isNearOrderLimit(network: string): Promise<boolean> {
  const { LIMIT_ORDERS: most } = config()
  return most > 0 && exhaustedUntil(await readQuotaUsage(subjectOf(network)), most / 2) !== null
}
