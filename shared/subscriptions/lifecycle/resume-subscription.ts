import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { activateSubscription } from '#shared/subscriptions/transition-subscription.ts'

/** A subscription that was resumed, and the event about it. */
export interface Resumed {
  subscription: Subscription
  eventId: string
}

/**
 * Resumes a paused subscription at its next date, without charges for the pause. For an active subscription, withdraws
 * its cancellation at the end of the period. Throws `subscription.invalid_transition`.
 */
export async function resumeSubscription(
  tx: StoreTx,
  id: string,
  caller: SubscriptionCaller,
): Promise<Resumed> {
  const { subscription } = await lockAndSettleCharge(tx, id, caller)
  if (subscription.cancelsAtPeriodEnd && subscription.status === 'active')
    return withdrawCancellation(tx, subscription)
  if (subscription.status !== 'paused')
    throw SubscriptionErrors.invalidTransition({ from: subscription.status, to: 'active' })
  const resumed = await activateSubscription(tx, subscription, { skipMissed: true })
  const eventId = await emitSubscriptionEvent(tx, SubscriptionEvents.resumed, resumed)
  return { subscription: resumed, eventId }
}

/** Withdraws a cancellation at the end of the period. */
async function withdrawCancellation(tx: StoreTx, subscription: Subscription): Promise<Resumed> {
  const continued = await subscription.change(tx, { cancelsAtPeriodEnd: false })
  const eventId = await emitSubscriptionEvent(tx, SubscriptionEvents.updated, continued)
  return { subscription: continued, eventId }
}
