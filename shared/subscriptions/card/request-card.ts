import type { CardSetup } from '#shared/payments/card-setup.ts'
import { startCardSetup } from '#shared/payments/card-setups/start-card-setup.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { ENDED_STATUSES } from '#shared/subscriptions/states.ts'

/**
 * Asks a customer for another card of a subscription, without a charge. Once the gateway has saved the card,
 * `replaceCard` retries a failed charge with it; later charges use it too. Throws `subscription.no_card` for a payment
 * method without cards, and `subscription.not_changeable` if the subscription has ended or its first order is not paid
 * yet.
 */
export async function requestCard(
  tx: StoreTx,
  id: string,
  { customerId }: Pick<SubscriptionCaller, 'customerId'>,
): Promise<CardSetup> {
  const { subscription } = await lockAndSettleCharge(tx, id, { customerId })
  const { status, paymentMethod } = subscription
  if (paymentMethod !== 'card') throw SubscriptionErrors.noCard({ method: paymentMethod })
  if (status === 'pending' || ENDED_STATUSES.has(status))
    throw SubscriptionErrors.notChangeable({
      rule: 'The card can be changed when the first order is paid, until the subscription ends',
      status,
    })
  return startCardSetup(tx, { customerId: subscription.customerId, subscriptionId: id })
}
