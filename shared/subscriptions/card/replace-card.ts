import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockSubscriptionsOfOrder } from '#shared/subscriptions/charges/charges-of-order.ts'
import { settleOpenCharge } from '#shared/subscriptions/charges/settle-open-charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import { chargeSubscription } from '#shared/subscriptions/jobs.ts'
import { lockSubscription, type Subscription } from '#shared/subscriptions/subscription.ts'
import {
  activateSubscription,
  transitionSubscription,
} from '#shared/subscriptions/transition-subscription.ts'

/**
 * Sets the card of one subscription, or of all subscriptions that an order pays. Retries a failed charge immediately. A
 * suspended subscription without an open charge resumes.
 */
export async function replaceCard(
  tx: StoreTx,
  { card, ...target }: { card: SavedCard } & ({ orderId: string } | { subscriptionId: string }),
): Promise<void> {
  const locked =
    'orderId' in target
      ? await lockSubscriptionsOfOrder(tx, target.orderId)
      : [await lockSubscription(tx, target.subscriptionId)]
  for (const subscription of locked) {
    const charge = await settleOpenCharge(tx, subscription)
    if (subscription.endedAt) continue
    const kind =
      subscription.card && subscription.card.reference !== card.reference
        ? SubscriptionEvents.cardChanged
        : SubscriptionEvents.updated
    await subscription.change(tx, { card })
    // An order that was just paid needs no retry.
    const isUnpaid = subscription.status === 'past_due' || subscription.status === 'suspended'
    if (isUnpaid && 'subscriptionId' in target)
      await (charge
        ? chargeAtOnce(tx, subscription)
        : activateSubscription(tx, subscription, { skipMissed: true }))
    await emitSubscriptionEvent(tx, kind, subscription)
  }
}

async function chargeAtOnce(tx: StoreTx, subscription: Subscription): Promise<void> {
  if (subscription.status === 'suspended') await transitionSubscription(tx, subscription, 'past_due')
  await subscription.change(tx, { dueAt: now() })
  await enqueue(tx, chargeSubscription, { subscriptionId: subscription.id })
}
