import { normalizeEmail } from '#shared/identity/email.ts'
import { config } from '#shared/platform/config/config.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { exhaustedUntil, readQuotaUsage, requireQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'

/*
 * An order that is paid later costs its buyer nothing, but mails a confirmation to any address and reserves stock for
 * days. These orders are counted by the buyer's network over all stores, and by e-mail address in each store. An order
 * by card mails nothing before it is paid, but reserves stock and has jobs at its end, so a network may place more.
 */

/** One e-mail address in one store may have LIMIT_ORDERS divided by this number. */
const EMAIL_LIMIT_DIVISOR = 10

/** A network may place LIMIT_ORDERS times this number by card. */
const CARD_LIMIT_FACTOR = 10

/** Returns the subject of the quota of a network, or of an e-mail address in a store. */
const subjectOf = (buyer: string): string => `unpaid orders of ${buyer}`

interface UnpaidOrder {
  network: string
  email: string
  /** Whether the buyer pays immediately by card. */
  isByCard: boolean
}

/**
 * Consumes the quotas of an order that is not paid yet, right before the commit. Past a limit the commit fails with 429
 * `rate_limit.exceeded`.
 */
export function consumeUnpaidOrderQuota(tx: StoreTx, { network, email, isByCard }: UnpaidOrder): void {
  const { LIMIT_ORDERS } = config()
  if (!LIMIT_ORDERS) return
  tx.beforeCommit(
    'unpaid orders',
    async () => {
      if (!isByCard) {
        const ofEmail = { limit: Math.ceil(LIMIT_ORDERS / EMAIL_LIMIT_DIVISOR), windowMs: HOUR_MS }
        await requireQuotaIn(tx, subjectOf(`${normalizeEmail(email)} in ${tx.storeId}`), ofEmail)
      }
      const { subject, limit } = quotaOf(network, isByCard)
      await requireQuotaIn(tx, subject, { limit, windowMs: HOUR_MS })
    },
    'quotas',
  )
}

/** Returns the quota of a network: of its orders by card, or of those that are paid later. */
function quotaOf(network: string, isByCard: boolean): { subject: string; limit: number } {
  const { LIMIT_ORDERS: limit } = config()
  return isByCard
    ? { subject: `card orders of ${network}`, limit: CARD_LIMIT_FACTOR * limit }
    : { subject: subjectOf(network), limit }
}

/**
 * Whether a network has used half of its quota of orders by card, or of orders that are paid later. Then a program may
 * be placing them.
 */
export async function isNearOrderLimit(network: string, isByCard: boolean): Promise<boolean> {
  const { subject, limit } = quotaOf(network, isByCard)
  return limit > 0 && exhaustedUntil(await readQuotaUsage(subject), limit / 2) !== null
}
