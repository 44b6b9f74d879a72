import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from './events.ts'
import { chargeSubscription } from './jobs.ts'
import { lockSubscriptionsOf, settleOpenCharge } from './settle-charge.ts'
import { lockSubscription, type Subscription } from './subscription.ts'
import { activate, transition } from './transition-subscription.ts'

/**
 * Makes a card that the gateway keeps the one that a subscription charges: of the subscriptions that an order is a charge of,
 * or of one whose customer gave another card. A charge that failed is tried with it at once; a suspended subscription without
 * one goes on at its next date.
 */
export async function adoptCard(
  tx: StoreTx,
  given: { card: SavedCard } & ({ orderId: string } | { subscriptionId: string }),
): Promise<void> {
  const locked =
    'orderId' in given
      ? await lockSubscriptionsOf(tx, given.orderId)
      : [await lockSubscription(tx, given.subscriptionId)]
  for (const subscription of locked) {
    const charge = await settleOpenCharge(tx, subscription)
    if (subscription.endedAt) continue
    const kind =
      subscription.card && subscription.card.reference !== given.card.reference
        ? SubscriptionEvents.cardChanged
        : SubscriptionEvents.updated
    await subscription.change(tx, { card: given.card })
    // An order that was just paid needs no other attempt.
    const isUnpaid = subscription.status === 'past_due' || subscription.status === 'suspended'
    if (isUnpaid && 'subscriptionId' in given)
      await (charge ? chargeAtOnce(tx, subscription) : activate(tx, subscription, { skipMissed: true }))
    await emitSubscriptionEvent(tx, kind, subscription)
  }
}

async function chargeAtOnce(tx: StoreTx, subscription: Subscription): Promise<void> {
  if (subscription.status === 'suspended') await transition(tx, subscription, 'past_due')
  await subscription.change(tx, { dueAt: now() })
  await enqueue(tx, chargeSubscription, { subscriptionId: subscription.id })
}
