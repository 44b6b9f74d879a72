import type { CardSetup } from '#shared/payments/card-setup.ts'
import { startCardSetup } from '#shared/payments/card-setups/start-card-setup.ts'
import { limitAndRecordPayer } from '#shared/payments/open/payer-network.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SubscriptionCaller } from '#shared/subscriptions/caller.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { ENDED_SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'

/**
 * Asks a customer for another card of a subscription, without a charge. Once the gateway has saved the card,
 * `replaceCard` retries a failed charge with it; later charges use it too. Throws `subscription.no_card` for a payment
 * method without cards, `subscription.not_changeable` if the subscription has ended or its first order is not paid yet,
 * and 429 after too many declined cards. `network` is the network of the customer's address (`networkOfAddress`).
 */
export async function requestCard(
  tx: StoreTx,
  id: string,
  { customerId, network }: Pick<SubscriptionCaller, 'customerId'> & { network: string },
): Promise<CardSetup> {
  const { subscription } = await lockAndSettleCharge(tx, id, { customerId })
  const { status, paymentMethod } = subscription
  if (paymentMethod !== 'card') throw SubscriptionErrors.noCard({ method: paymentMethod })
  if (status === 'pending' || ENDED_SUBSCRIPTION_STATUSES.has(status))
    throw SubscriptionErrors.notChangeable({
      rule: 'The card can be changed when the first order is paid, until the subscription ends',
      status,
    })
  const setup = await startCardSetup(tx, { customerId: subscription.customerId, subscriptionId: id })
  await limitAndRecordPayer(tx, setup, network)
  return setup
}
