import { lockOrder, type Order } from '#shared/orders/order.ts'
import { SERVED_STATUSES } from '#shared/orders/states.ts'
import { findOpenPayment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, now } from '#shared/platform/time/clock.ts'
import { Charge, findAwaitedPayment, findOpenCharge } from './charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from './events.ts'
import { lockSubscription, type Subscription } from './subscription.ts'
import { advance, end, transition } from './transition-subscription.ts'

/** The days after the first failure of a charge on which it is tried again (decisions, section 13). */
const RETRY_DAYS = [1, 3, 5, 7]

/** Applies the outcome of an order to all subscriptions that it charges. */
export async function settleCharges(tx: StoreTx, orderId: string): Promise<void> {
  for (const subscription of await lockSubscriptionsOf(tx, orderId)) await settleOpenCharge(tx, subscription)
}

/** Locks all subscriptions that an order charges. `settleOpenCharge` locks the order after them. */
export async function lockSubscriptionsOf(tx: StoreTx, orderId: string): Promise<Subscription[]> {
  const charges = await Charge.in(tx).where('order_id', orderId).orderBy('subscription_id')
  const locked: Subscription[] = []
  for (const { subscriptionId } of charges) locked.push(await lockSubscription(tx, subscriptionId))
  return locked
}

/**
 * Applies the outcome of the open charge of a subscription, which the caller has locked: paid, given up, or a failed
 * attempt. Returns the charge that is still open, with its order locked.
 */
export async function settleOpenCharge(tx: StoreTx, subscription: Subscription): Promise<Charge | null> {
  const charge = await findOpenCharge(tx, subscription)
  if (!charge?.orderId) return charge ?? null
  // Locked, so that it is not paid or canceled before the caller has acted on what it finds.
  const order = await lockOrder(tx, charge.orderId)
  if (SERVED_STATUSES.has(order.status) || order.status === 'refunded') {
    await recordPaidCharge(tx, subscription, charge, order)
    return null
  }
  if (order.status === 'canceled') {
    await recordGivenUp(tx, subscription, charge)
    return null
  }
  const payment = await findAwaitedPayment(tx, charge)
  const hasFailed = payment?.status === 'failed' || payment?.status === 'canceled'
  // The customer who pays the order by its link cancels the attempt: their payment decides.
  if (hasFailed && !(await findOpenPayment(tx, order.id)))
    await recordFailedAttempt(tx, subscription, charge, payment.failureReason ?? payment.status)
  return charge
}

async function recordPaidCharge(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  { paidAt, createdAt }: Order,
): Promise<void> {
  await settle(tx, charge)
  if (subscription.status === 'canceled') return
  // The first order was paid after its time: the dates count from the payment.
  const startedAt = paidAt ?? createdAt
  if (subscription.status === 'expired') await subscription.change(tx, { startedAt, scheduleFrom: startedAt })
  await advance(tx, subscription, charge, { isPaid: true })
  await emitSubscriptionEvent(tx, SubscriptionEvents.charged, subscription)
  if (subscription.status === 'completed')
    await emitSubscriptionEvent(tx, SubscriptionEvents.completed, subscription)
}

/**
 * Its order was canceled: the subscription goes on with the next date. A suspended one waits for a payment or another card
 * all the same: nobody who cancels an unpaid order expects to be charged again.
 */
async function recordGivenUp(tx: StoreTx, subscription: Subscription, charge: Charge): Promise<void> {
  if (subscription.status === 'pending') {
    await settle(tx, charge)
    await end(tx, subscription, 'canceled')
    await emitSubscriptionEvent(tx, SubscriptionEvents.canceled, subscription)
    return
  }
  await settle(tx, charge)
  if (subscription.endedAt || subscription.status === 'paused') return
  if (subscription.status === 'suspended')
    await subscription.change(tx, { chargeNo: charge.chargeNo + 1, position: subscription.position + 1 })
  else await advance(tx, subscription, charge, { isPaid: false })
  await emitSubscriptionEvent(tx, SubscriptionEvents.updated, subscription)
}

/** Closes a charge, paid or not. */
export const settle = (tx: StoreTx, charge: Charge): Promise<void> =>
  charge.change(tx, { settledAt: now(), nextAttemptAt: null, paymentId: null })

/**
 * Records that an attempt to make a charge failed. It is tried again on the days of `RETRY_DAYS`; after the last one the
 * subscription is suspended.
 */
export async function recordFailedAttempt(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  reason: string,
): Promise<void> {
  const attempts = charge.attempts + 1
  const firstFailedAt = charge.firstFailedAt ?? now()
  const days = RETRY_DAYS[attempts - 1]
  const nextAttemptAt = days === undefined ? null : new Date(firstFailedAt.getTime() + days * DAY_MS)
  await charge.change(tx, { attempts, firstFailedAt, failureReason: reason, nextAttemptAt, paymentId: null })
  if (subscription.status === 'active') await transition(tx, subscription, 'past_due')
  // A first order that was declined can be paid until it expires.
  if (subscription.status !== 'past_due') return
  await subscription.change(tx, { dueAt: nextAttemptAt })
  await emitSubscriptionEvent(tx, SubscriptionEvents.paymentFailed, subscription)
  if (nextAttemptAt) return
  await transition(tx, subscription, 'suspended')
  await emitSubscriptionEvent(tx, SubscriptionEvents.suspended, subscription)
}
