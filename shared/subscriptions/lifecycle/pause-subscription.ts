import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { giveUpCharge } from '#shared/subscriptions/charges/give-up-charge.ts'
import { lockSettledSubscription } from '#shared/subscriptions/charges/lock-settled-subscription.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { transition } from '#shared/subscriptions/transition-subscription.ts'

/**
 * Pauses an active subscription. Nothing is charged until it resumes. Throws `subscription.invalid_transition`, and
 * `subscription.charge_in_progress`.
 */
export async function pauseSubscription(
  tx: StoreTx,
  id: string,
  caller: SubscriptionCaller,
): Promise<Subscription> {
  const { subscription, charge } = await lockSettledSubscription(tx, id, caller)
  await transition(tx, subscription, 'paused')
  if (charge) await giveUpCharge(tx, subscription, charge, caller.actor)
  await emitSubscriptionEvent(tx, SubscriptionEvents.paused, subscription)
  return subscription
}
