import { placeByPaymentMethod } from '#shared/checkout/place-by-payment-method.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { markPaid } from '#shared/payments/capture/mark-paid.ts'
import { payBySavedCard } from '#shared/payments/open/pay-by-saved-card.ts'
import { paymentWindow } from '#shared/payments/payment-window.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { readStore } from '#shared/stores/store.ts'
import { Charge } from '../charge.ts'
import { SubscriptionErrors } from '../errors.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '../events.ts'
import { lockSubscription, type Subscription } from '../subscription.ts'
import { awaitOutcome, endSubscription } from '../transition-subscription.ts'
import { draftCharge } from './draft-charge.ts'
import { recordFailedAttempt } from './record-failed-attempt.ts'
import { settleOpenCharge } from './settle-open-charge.ts'

/**
 * Does what is due for a subscription: charges it, tries a failed charge again, or ends it. The order and its payment
 * are committed before the gateway is asked, under the payment's id, so a charge is neither made twice nor forgotten.
 * Throws the errors of a checkout when the charge cannot be ordered now: `failCharge` records them.
 */
export async function chargeSubscription(tx: StoreTx, subscriptionId: string): Promise<void> {
  const subscription = await lockSubscription(tx, subscriptionId)
  const open = await settleOpenCharge(tx, subscription)
  if (!isDue(subscription)) return
  if (subscription.status === 'pending') return expire(tx, subscription)
  if (subscription.cancelsAtPeriodEnd && !open) return cancelAtPeriodEnd(tx, subscription)
  const charge = open ?? (await insertCharge(tx, subscription))
  await (charge.orderId ? retry(tx, subscription, charge, charge.orderId) : place(tx, subscription, charge))
  await settleOpenCharge(tx, subscription)
}

/** Records that the charge that was due could not be ordered, in a transaction of its own. */
export async function failCharge(tx: StoreTx, subscriptionId: string, reason: string): Promise<void> {
  const subscription = await lockSubscription(tx, subscriptionId)
  // It may have been paid in between.
  const open = await settleOpenCharge(tx, subscription)
  if (!isDue(subscription) || subscription.status === 'pending') return
  const charge = open ?? (await insertCharge(tx, subscription))
  await recordFailedAttempt(tx, subscription, charge, reason)
}

const isDue = ({ dueAt }: Subscription): boolean => dueAt !== null && dueAt <= now()

/** The first order was not paid in its time. A late payment activates the subscription all the same. */
const expire = (tx: StoreTx, subscription: Subscription): Promise<void> =>
  endSubscription(tx, subscription, 'expired')

async function cancelAtPeriodEnd(tx: StoreTx, subscription: Subscription): Promise<void> {
  await endSubscription(tx, subscription, 'canceled')
  await emitSubscriptionEvent(tx, SubscriptionEvents.canceled, subscription)
}

const insertCharge = (tx: StoreTx, { id, chargeNo }: Subscription): PromiseLike<Charge> =>
  Charge.in(tx).insertAndFetch({ subscriptionId: id, chargeNo, attempts: 0, createdAt: now() })

async function place(tx: StoreTx, subscription: Subscription, charge: Charge): Promise<void> {
  const store = await readStore(tx)
  const draft = await draftCharge(tx, store, subscription)
  const { order, paymentId } = await placeByPaymentMethod(tx, store, { ...draft, ...cardOf(subscription) })
  await charge.change(tx, { orderId: order.id, paymentId })
  await awaitOutcome(tx, subscription, order.expiresAt ?? undefined)
}

/** Tries to charge an order that was not paid before. Throws the errors of `reserveResources`. */
async function retry(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  orderId: string,
): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (subscription.paymentMethod === 'sandbox') {
    await markPaid(tx, orderId, 'system', { provider: 'sandbox' })
    return
  }
  const { savedCard = '' } = cardOf(subscription)
  const window = paymentWindow(await readStore(tx))
  const { id: paymentId } = await payBySavedCard(tx, order, savedCard, window)
  await charge.change(tx, { paymentId })
  await awaitOutcome(tx, subscription, window.expiresAt)
}

/**
 * The gateway's id of the card to charge. Throws `subscription.no_card` without one, where the payment method needs it.
 */
function cardOf({ paymentMethod, card }: Subscription): { savedCard?: string } {
  if (paymentMethod !== 'card') return {}
  if (!card) throw SubscriptionErrors.noCard({ method: paymentMethod })
  return { savedCard: card.reference }
}
