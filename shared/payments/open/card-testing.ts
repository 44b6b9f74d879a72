import { CardSetup, type CardSetupTarget } from '#shared/payments/card-setup.ts'
import { cancelCardSetup } from '#shared/payments/close/cancel-card-setups.ts'
import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { cancelPayment } from '#shared/payments/jobs.ts'
import { type PaymentOrSetup, targetOfPaymentOrSetup } from '#shared/payments/payment-or-setup.ts'
import { config } from '#shared/platform/config/config.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import {
  consumeQuotaIn,
  exhaustedUntil,
  readExhaustedUntil,
  readQuotaUsage,
} from '#shared/platform/throttle/quota.ts'
import { HOUR_MS, secondsUntil } from '#shared/platform/time/clock.ts'

/*
 * Card testing: somebody tries stolen cards until one is accepted. Declines of payments and card setups are counted by
 * the buyer's network over all stores, and by order or subscription. Past the limit, this network, order or
 * subscription can open no other one for the rest of the hour. The open one is canceled at the gateway, because its
 * client secret would let the buyer go on without this service.
 *
 * Nothing is counted by store: attackers with declined cards could close the checkout to all its customers.
 */

/** The network, and the order or subscription, that a payment or card setup is opened for. */
interface Attempt {
  /** The network of the buyer's address (`networkOfAddress`); null if no buyer asks, or if it is erased. */
  network: string | null
  /** Undefined before there is an order. */
  target?: CardSetupTarget
}

const subjectsOf = ({ network, target }: Attempt): string[] => [
  ...(network ? [`declined cards of ${network}`] : []),
  ...(target ? [`declined cards of ${nameOf(target)}`] : []),
]

const nameOf = (target: CardSetupTarget): string =>
  // Clients may send ids in capitals.
  ('orderId' in target ? `order ${target.orderId}` : `subscription ${target.subscriptionId}`).toLowerCase()

/** Throws 429 `rate_limit.exceeded` if too many cards were declined. */
export async function assertMayTryCard(tx: StoreTx, attempt: Attempt): Promise<void> {
  const until = await limitReachedUntil(tx, attempt, config().LIMIT_DECLINES)
  if (until) throw CommonErrors.rateLimitExceeded({ retryAfter: secondsUntil(until) })
}

/** Whether a network has reached half of its limit of declined cards, which suggests that a program tries cards. */
export async function isNearDeclineLimit(network: string): Promise<boolean> {
  const { LIMIT_DECLINES: most } = config()
  if (!most) return false
  for (const subject of subjectsOf({ network }))
    if (exhaustedUntil(await readQuotaUsage(subject), most / 2)) return true
  return false
}

const TOO_MANY = 'too_many_declines'

/**
 * Counts a declined card of a payment or card setup, and cancels the payment or setup if that uses up the limit.
 * Concurrent declines may not see that the limit is used up; then the next decline cancels. Call it once for each
 * decline.
 */
export async function countDecline(tx: StoreTx, paymentOrSetup: PaymentOrSetup): Promise<void> {
  const { LIMIT_DECLINES: most } = config()
  if (!most || paymentOrSetup.closedAtGateway) return
  const attempt = { network: paymentOrSetup.payerNetwork, target: targetOfPaymentOrSetup(paymentOrSetup) }
  // The quota of a network is counted last: the transactions of all stores would wait for it.
  for (const subject of subjectsOf(attempt))
    tx.beforeCommit(subject, () => consumeQuotaIn(tx, subject, { limit: most, windowMs: HOUR_MS }), 'quotas')
  const isLast = most === 1 || (await limitReachedUntil(tx, attempt, most - 1)) !== null
  if (!isLast) return
  if (paymentOrSetup instanceof CardSetup) return cancelCardSetup(tx, paymentOrSetup.id, TOO_MANY)
  await failPayment(tx, paymentOrSetup.id, { status: 'canceled', reason: TOO_MANY })
  await enqueue(tx, cancelPayment, { paymentId: paymentOrSetup.id })
}

/** Returns when the declined cards of an attempt are forgotten; null if there are fewer than `most`, or no limit. */
async function limitReachedUntil(tx: StoreTx, attempt: Attempt, most: number): Promise<Date | null> {
  if (!most) return null
  for (const subject of subjectsOf(attempt)) {
    const until = await readExhaustedUntil(tx, subject, most)
    if (until) return until
  }
  return null
}
