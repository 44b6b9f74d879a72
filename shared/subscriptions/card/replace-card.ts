import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Charge } from '#shared/subscriptions/charge.ts'
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
  for (const one of locked) {
    const { subscription, charge } = await settleOpenCharge(tx, one)
    if (subscription.endedAt) continue
    const kind =
      subscription.card && subscription.card.reference !== card.reference
        ? SubscriptionEvents.cardChanged
        : SubscriptionEvents.updated
    const replaced = await subscription.change(tx, { card })
    // An order that was just paid needs no retry.
    const updated = 'subscriptionId' in target ? await continueIfUnpaid(tx, replaced, charge) : replaced
    await emitSubscriptionEvent(tx, kind, updated)
  }
}

async function continueIfUnpaid(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge | null,
): Promise<Subscription> {
  if (subscription.status !== 'past_due' && subscription.status !== 'suspended') return subscription
  return charge
    ? chargeAtOnce(tx, subscription)
    : activateSubscription(tx, subscription, { skipMissed: true })
}

async function chargeAtOnce(tx: StoreTx, subscription: Subscription): Promise<Subscription> {
  const pastDue =
    subscription.status === 'suspended'
      ? await transitionSubscription(tx, subscription, 'past_due')
      : subscription
  const due = await pastDue.change(tx, { dueAt: now() })
  await enqueue(tx, chargeSubscription, { subscriptionId: due.id })
  return due
}
