import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Charge } from '#shared/subscriptions/charge.ts'
import { lockSubscriptionsOfOrder } from '#shared/subscriptions/charges/charges-of-order.ts'
import { retryCharge } from '#shared/subscriptions/charges/retry-charge.ts'
import { settleOpenCharge } from '#shared/subscriptions/charges/settle-open-charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import { lockSubscription, type Subscription } from '#shared/subscriptions/subscription.ts'
import { scheduleNextCharge } from '#shared/subscriptions/transition-subscription.ts'

/** A card that a customer gave for one subscription, or for all subscriptions that an order pays. */
type GivenCard = { card: SavedCard; givenAt: Date } & ({ orderId: string } | { subscriptionId: string })

/**
 * Sets the card of subscriptions. Retries a failed charge immediately. A suspended subscription without an open charge
 * resumes. A card that the customer gave later stays, because the gateway may report the earlier one late.
 */
export async function replaceCard(tx: StoreTx, { card, givenAt, ...target }: GivenCard): Promise<void> {
  const locked =
    'orderId' in target
      ? await lockSubscriptionsOfOrder(tx, target.orderId)
      : [await lockSubscription(tx, target.subscriptionId)]
  for (const one of locked) {
    const { subscription, charge } = await settleOpenCharge(tx, one)
    if (subscription.endedAt || isLater(subscription.cardGivenAt, givenAt)) continue
    const kind =
      subscription.card && subscription.card.reference !== card.reference
        ? SubscriptionEvents.cardChanged
        : SubscriptionEvents.updated
    const replaced = await subscription.change(tx, { card, cardGivenAt: givenAt })
    // An order that was just paid needs no retry.
    const updated = 'subscriptionId' in target ? await continueIfUnpaid(tx, replaced, charge) : replaced
    await emitSubscriptionEvent(tx, kind, updated)
  }
}

const isLater = (time: Date | null, than: Date): boolean => time !== null && time > than

async function continueIfUnpaid(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge | null,
): Promise<Subscription> {
  if (subscription.status !== 'past_due' && subscription.status !== 'suspended') return subscription
  return charge ? retryCharge(tx, subscription) : scheduleNextCharge(tx, subscription, { skipMissed: true })
}
