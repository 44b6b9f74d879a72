import { placeByPaymentMethod } from '#shared/checkout/place-by-payment-method.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { payBySavedCard } from '#shared/payments/open/pay-by-saved-card.ts'
import { paymentWindow } from '#shared/payments/payment-window.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { isStoreActive, readStore } from '#shared/stores/store.ts'
import { type Charge, insertCharge } from '#shared/subscriptions/charge.ts'
import { draftCharge } from '#shared/subscriptions/charges/draft-charge.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { settleOpenCharge } from '#shared/subscriptions/charges/settle-open-charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import { isDue, type Subscription } from '#shared/subscriptions/subscription.ts'
import {
  endSubscription,
  scheduleNextCharge,
  scheduleOutcomeCheck,
} from '#shared/subscriptions/transition-subscription.ts'
import { stopCharges } from './stop-charges.ts'

/**
 * Performs the due step of a subscription: charges it, retries a failed charge, ends it, stops it for a deactivated
 * customer, or skips what was missed while the store was closed. The order and its payment are committed before the
 * gateway is called. The payment's id is the idempotency key, so that no charge is made twice or lost. Throws the
 * errors of a checkout if the charge cannot be ordered now, and `subscription.charge_in_progress`. Then call
 * `recordRefusedStep`.
 */
export async function performDueStep(tx: StoreTx, subscriptionId: string): Promise<void> {
  const { subscription, charge: open } = await lockAndSettleCharge(tx, subscriptionId)
  if (!isDue(subscription)) return
  // The job may have waited since the store was closed. The charge stays due until the store is back.
  if (!(await isStoreActive(tx))) return
  if (subscription.status === 'pending') return expire(tx, subscription)
  if (subscription.cancelsAtPeriodEnd && !open) return cancelAtPeriodEnd(tx, subscription)
  if (!(await isActiveCustomer(tx, subscription)))
    return stopCharges(tx, { subscription, charge: open }, 'system')
  if (!open && (await wasMissedWhileClosed(tx, subscription))) return skipMissedCharges(tx, subscription)
  const charge = open ?? (await insertCharge(tx, subscription))
  const charged = await (charge.orderId
    ? chargeOrderAgain(tx, subscription, charge, charge.orderId)
    : orderCharge(tx, subscription, charge))
  // An order that needs no gateway is paid, or sent, by now.
  await settleOpenCharge(tx, charged)
}

/** Ends a subscription whose first order was not paid in time. A late payment still activates it. */
async function expire(tx: StoreTx, subscription: Subscription): Promise<void> {
  await endSubscription(tx, subscription, 'expired')
}

async function cancelAtPeriodEnd(tx: StoreTx, subscription: Subscription): Promise<void> {
  const canceled = await endSubscription(tx, subscription, 'canceled')
  await emitSubscriptionEvent(tx, SubscriptionEvents.canceled, canceled)
}

/** Whether the customer can sign in, and so can cancel, pause and see the subscription. */
const isActiveCustomer = async (tx: StoreTx, { customerId }: Subscription): Promise<boolean> =>
  (await findCustomer(tx, customerId)).isActive

/**
 * Whether the store was closed when a charge was due, for more than a day. Its customers could not sign in to cancel or
 * skip it.
 */
async function wasMissedWhileClosed(tx: StoreTx, { nextChargeAt }: Subscription): Promise<boolean> {
  const { reopenedAt } = await readStore(tx)
  if (!nextChargeAt || !reopenedAt) return false
  return reopenedAt.getTime() - nextChargeAt.getTime() > DAY_MS
}

async function skipMissedCharges(tx: StoreTx, subscription: Subscription): Promise<void> {
  const skipped = await scheduleNextCharge(tx, subscription, { skipMissed: true })
  await emitSubscriptionEvent(tx, SubscriptionEvents.updated, skipped)
}

/** Orders a charge. Returns the subscription, which awaits the outcome of the payment. */
async function orderCharge(tx: StoreTx, subscription: Subscription, charge: Charge): Promise<Subscription> {
  const store = await readStore(tx)
  const draft = await draftCharge(tx, store, subscription)
  const card = subscription.paymentMethod === 'card' ? { savedCard: cardOf(subscription) } : {}
  const placed = await placeByPaymentMethod(tx, store, { ...draft, ...card })
  const { order, paymentOrSetupId } = placed
  // A charge by card has a saved card, so it never opens a card setup.
  await charge.change(tx, { orderId: order.id, paymentId: paymentOrSetupId })
  return scheduleOutcomeCheck(tx, subscription, order.expiresAt ?? undefined)
}

/**
 * Charges an unpaid order again. Returns the subscription, which awaits the outcome of a card. Throws
 * `order.not_payable` for a payment method that cannot be charged, and the errors of `reserveResources`.
 */
async function chargeOrderAgain(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  orderId: string,
): Promise<Subscription> {
  const order = await lockOrder(tx, orderId)
  const { paymentMethod: method } = subscription
  if (method === 'sandbox') {
    await markOrderPaid(tx, orderId, 'system', { provider: 'sandbox' })
    return subscription
  }
  if (method !== 'card') throw OrderErrors.notPayable({ status: order.status, method })
  const window = paymentWindow(await readStore(tx))
  const { id: paymentId } = await payBySavedCard(tx, order, cardOf(subscription), window)
  await charge.change(tx, { paymentId })
  return scheduleOutcomeCheck(tx, subscription, window.expiresAt)
}

/** Returns the gateway's id of the card to charge. Throws `subscription.no_card` without a card. */
function cardOf({ paymentMethod, card }: Subscription): string {
  if (!card) throw SubscriptionErrors.noCard({ method: paymentMethod })
  return card.reference
}
