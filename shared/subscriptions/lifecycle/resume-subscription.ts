import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { couldNotBeOrdered } from '#shared/subscriptions/charge.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { retryCharge } from '#shared/subscriptions/charges/retry-charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { scheduleNextCharge } from '#shared/subscriptions/transition-subscription.ts'

/** A subscription that was resumed, and the event about it. */
export interface Resumed {
  subscription: Subscription
  eventId: string
}

/**
 * Resumes a paused subscription at its next date, without charges for the pause. For an active subscription, withdraws
 * its cancellation at the end of the period. For the customer of one that was suspended because a charge could not be
 * ordered, orders it again immediately. Throws `subscription.invalid_transition`.
 */
export async function resumeSubscription(
  tx: StoreTx,
  id: string,
  caller: SubscriptionCaller,
): Promise<Resumed> {
  const { subscription, charge } = await lockAndSettleCharge(tx, id, caller)
  if (subscription.cancelsAtPeriodEnd && subscription.status === 'active')
    return withdrawCancellation(tx, subscription)
  if (subscription.status === 'suspended' && caller.customerId && charge && couldNotBeOrdered(charge))
    return orderAgain(tx, subscription)
  if (subscription.status !== 'paused')
    throw SubscriptionErrors.invalidTransition({ from: subscription.status, to: 'active' })
  const resumed = await scheduleNextCharge(tx, subscription, { skipMissed: true })
  const eventId = await emitSubscriptionEvent(tx, SubscriptionEvents.resumed, resumed)
  return { subscription: resumed, eventId }
}

/**
 * Orders the charge again for which a subscription was suspended. No card was declined: the store was short of stock,
 * or had no shipping method, so another card would not help.
 */
async function orderAgain(tx: StoreTx, subscription: Subscription): Promise<Resumed> {
  const due = await retryCharge(tx, subscription)
  const eventId = await emitSubscriptionEvent(tx, SubscriptionEvents.updated, due)
  return { subscription: due, eventId }
}

/** Withdraws a cancellation at the end of the period. */
async function withdrawCancellation(tx: StoreTx, subscription: Subscription): Promise<Resumed> {
  const continued = await subscription.change(tx, { cancelsAtPeriodEnd: false })
  const eventId = await emitSubscriptionEvent(tx, SubscriptionEvents.updated, continued)
  return { subscription: continued, eventId }
}
