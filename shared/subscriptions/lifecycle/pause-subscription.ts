import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { cancelCharge } from '#shared/subscriptions/charges/cancel-charge.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { transitionSubscription } from '#shared/subscriptions/transition-subscription.ts'

/**
 * Pauses an active subscription. Nothing is charged until it resumes. Throws `subscription.invalid_transition`, and
 * `subscription.charge_in_progress`.
 */
export async function pauseSubscription(
  tx: StoreTx,
  id: string,
  caller: SubscriptionCaller,
): Promise<Subscription> {
  const { subscription, charge } = await lockAndSettleCharge(tx, id, caller)
  const transitioned = await transitionSubscription(tx, subscription, 'paused')
  const stopped = await transitioned.change(tx, { pausedByStaff: isStaff(caller) })
  const paused = charge ? await cancelCharge(tx, stopped, charge, caller.actor) : stopped
  await emitSubscriptionEvent(tx, SubscriptionEvents.paused, paused)
  return paused
}

const isStaff = ({ actor }: SubscriptionCaller): boolean =>
  actor.startsWith('staff:') || actor.startsWith('api_token:')
