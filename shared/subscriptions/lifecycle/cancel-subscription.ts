import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { cancelCharge } from '#shared/subscriptions/charges/cancel-charge.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { endSubscription } from '#shared/subscriptions/transition-subscription.ts'

/**
 * Cancels a subscription, immediately or in place of the next charge. It also cancels an open charge, so that nothing
 * is charged after the response. Throws `subscription.charge_in_progress` while the gateway is making a charge.
 */
export async function cancelSubscription(
  tx: StoreTx,
  id: string,
  { at, ...caller }: SubscriptionCaller & { at: 'now' | 'period_end' },
): Promise<Subscription> {
  const { subscription, charge } = await lockAndSettleCharge(tx, id, caller)
  if (at === 'period_end' && subscription.status === 'active' && !charge) {
    if (subscription.cancelsAtPeriodEnd) return subscription
    const scheduled = await subscription.change(tx, { cancelsAtPeriodEnd: true })
    await emitSubscriptionEvent(tx, SubscriptionEvents.cancellationScheduled, scheduled)
    return scheduled
  }
  const ended = await endSubscription(tx, subscription, 'canceled')
  // The first order stays, because it may contain other goods.
  const isLater = charge && charge.chargeNo > 1
  const canceled = isLater ? await cancelCharge(tx, ended, charge, caller.actor) : ended
  await emitSubscriptionEvent(tx, SubscriptionEvents.canceled, canceled)
  return canceled
}
