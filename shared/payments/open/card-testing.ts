import { config } from '#shared/platform/config/config.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { consumeQuotaIn, exhaustedQuotaIn } from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, secondsUntil } from '#shared/platform/time/clock.ts'
import { failPayment } from '../close/fail-payment.ts'
import { cancelPayment } from '../jobs.ts'
import { Payment } from '../payment.ts'

/*
 * Card testing: somebody tries stolen cards until one pays. Declines are counted by the network that the payment was opened
 * from, over all stores, and by order. Past the limit neither opens another payment for the rest of the hour, and the open
 * one is canceled at the gateway: its client secret would let the buyer try on without this service.
 *
 * Nothing is counted by store: strangers with declined cards would close the checkout to all its customers.
 */

/** Whom a payment is opened for. */
interface Attempt {
  /** The network of the buyer's address (`clientNetwork`); null where nobody asks, or when it is erased. */
  network: string | null
  orderId?: string
}

const subjectsOf = ({ network, orderId }: Attempt): string[] => [
  ...(network ? [`declined cards of ${network}`] : []),
  ...(orderId ? [`declined cards of order ${orderId}`] : []),
]

/** Throws 429 `rate_limit.exceeded` when too many cards were declined. */
export async function assertMayTryCard(tx: StoreTx, attempt: Attempt): Promise<void> {
  const until = await blockedUntil(tx, attempt)
  if (until) throw CommonErrors.rateLimited({ retryAfter: secondsUntil(until) })
}

/** Remembers the network that a payment was opened from, until the gateway can no longer capture it. */
export const recordPayer = (tx: StoreTx, paymentId: string, network: string): PromiseLike<unknown> =>
  Payment.in(tx).findById(paymentId).whereNull('closed_at_gateway').patch({ payerNetwork: network })

/** Counts a declined card of a payment, and cancels the payment past the limit. Call it once for each decline. */
export async function countDecline(tx: StoreTx, paymentId: string): Promise<void> {
  const { LIMIT_DECLINES: most } = config()
  const payment = await Payment.in(tx).findById(paymentId)
  if (!most || !payment || payment.closedAtGateway) return
  const attempt = { network: payment.payerNetwork, orderId: payment.orderId }
  for (const subject of subjectsOf(attempt)) await consumeQuotaIn(tx, subject, most, HOUR_MS)
  if (!(await blockedUntil(tx, attempt))) return
  await failPayment(tx, paymentId, { status: 'canceled', reason: 'too_many_declines' })
  await enqueue(tx, cancelPayment, { paymentId })
}

async function blockedUntil(tx: StoreTx, attempt: Attempt): Promise<Date | null> {
  const { LIMIT_DECLINES: most } = config()
  if (!most) return null
  for (const subject of subjectsOf(attempt)) {
    const until = await exhaustedQuotaIn(tx, subject, most)
    if (until) return until
  }
  return null
}
