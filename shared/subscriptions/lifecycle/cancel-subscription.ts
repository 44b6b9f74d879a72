import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { giveUpCharge } from '../charges/give-up-charge.ts'
import { lockSettled } from '../charges/lock-settled.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '../events.ts'
import type { Subscription } from '../subscription.ts'
import { endSubscription } from '../transition-subscription.ts'

/**
 * Cancels a subscription at once, or instead of the next charge. Nothing is charged after the response: an open charge
 * is canceled, too. Throws `subscription.charge_in_progress` while the gateway is making a charge.
 */
export async function cancelSubscription(
  tx: StoreTx,
  id: string,
  { at, ...caller }: SubscriptionCaller & { at: 'now' | 'period_end' },
): Promise<Subscription> {
  const { subscription, charge } = await lockSettled(tx, id, caller)
  if (at === 'period_end' && subscription.status === 'active' && !charge) {
    if (subscription.cancelsAtPeriodEnd) return subscription
    await subscription.change(tx, { cancelsAtPeriodEnd: true })
    await emitSubscriptionEvent(tx, SubscriptionEvents.cancellationScheduled, subscription)
    return subscription
  }
  await endSubscription(tx, subscription, 'canceled')
  // The first order may hold other goods: it stays as it is.
  if (charge && charge.chargeNo > 1) await giveUpCharge(tx, subscription, charge, caller.actor)
  await emitSubscriptionEvent(tx, SubscriptionEvents.canceled, subscription)
  return subscription
}
