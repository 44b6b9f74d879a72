import { lockOrder, type Order } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import { FULFILLING_ORDER_STATUSES } from '#shared/orders/states.ts'
import { findOpenPayment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { type Charge, findAwaitedPayment, findOpenCharge } from '#shared/subscriptions/charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import {
  advanceSubscription,
  chargesLeftAt,
  endSubscription,
} from '#shared/subscriptions/transition-subscription.ts'
import { recordFailedAttempt } from './record-failed-attempt.ts'

/** A subscription with the charge that is open; null if none is. */
export interface SettledSubscription {
  subscription: Subscription
  charge: Charge | null
}

/**
 * Locks the order of a subscription's open charge and applies its outcome: paid, canceled, or a failed attempt. Returns
 * the subscription as it is now, with the charge if it is still open. The caller has locked the subscription.
 */
export async function settleOpenCharge(
  tx: StoreTx,
  subscription: Subscription,
): Promise<SettledSubscription> {
  const charge = (await findOpenCharge(tx, subscription)) ?? null
  if (!charge?.orderId) return { subscription, charge }
  // Lock the order, so that it is not paid or canceled before the caller has acted.
  const order = await lockOrder(tx, charge.orderId)
  if (FULFILLING_ORDER_STATUSES.has(order.status) || order.status === 'refunded')
    return { subscription: await settlePaidCharge(tx, subscription, charge, order), charge: null }
  if (order.status === 'canceled')
    return { subscription: await settleCanceledCharge(tx, subscription, charge), charge: null }
  const payment = await findAwaitedPayment(tx, charge)
  const hasFailed = payment?.status === 'failed' || payment?.status === 'canceled'
  // A customer who pays the order by its link cancels the attempt. Then the customer's payment decides.
  if (hasFailed && !(await findOpenPayment(tx, order.id)))
    return recordFailedAttempt(tx, subscription, charge, {
      kind: 'gateway',
      reason: payment.failureReason ?? payment.status,
    })
  return { subscription, charge }
}

async function settlePaidCharge(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  order: Order,
): Promise<Subscription> {
  const { paidAt, createdAt } = order
  await charge.settle(tx)
  if (subscription.status === 'canceled') return subscription
  if (await hasTaxModeChanged(tx, subscription, order)) return refuseStart(tx, subscription, order)
  // A first order that is paid late starts the dates at its payment.
  const startedAt = paidAt ?? createdAt
  const started =
    subscription.status === 'expired'
      ? await subscription.change(tx, { startedAt, scheduleFrom: startedAt })
      : subscription
  const advanced = await advanceSubscription(tx, started, charge, { isPaid: true })
  await emitSubscriptionEvent(tx, SubscriptionEvents.charged, advanced)
  if (advanced.status === 'completed') await emitSubscriptionEvent(tx, SubscriptionEvents.completed, advanced)
  return advanced
}

/**
 * Whether the store's prices changed between net and gross after the first order of a subscription that has not
 * started. `assertPricesKept` prevents this for live subscriptions, and for changes of the country and of prices
 * abroad. It does not cover expired subscriptions, or one that a concurrent checkout inserts.
 */
async function hasTaxModeChanged(
  tx: StoreTx,
  { status }: Subscription,
  { pricesIncludeTax }: Order,
): Promise<boolean> {
  const isStarting = status === 'pending' || status === 'expired'
  return isStarting && pricesIncludeTax !== (await readStore(tx)).pricesIncludeTax
}

/**
 * Keeps a subscription expired although its first order is paid, because either its prices or the store's include tax,
 * but not both. A pending subscription expires.
 */
async function refuseStart(tx: StoreTx, subscription: Subscription, order: Order): Promise<Subscription> {
  const note =
    "The subscription does not start, because the store's prices changed between net and gross after the order"
  await addHistoryNote(tx, order, note, 'system')
  return subscription.status === 'pending' ? endSubscription(tx, subscription, 'expired') : subscription
}

/**
 * Settles a charge whose order was canceled. The subscription continues with its next date. A suspended subscription
 * stays suspended until a payment or another card, because a customer who cancels an unpaid order expects no charge.
 */
async function settleCanceledCharge(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
): Promise<Subscription> {
  await charge.settle(tx)
  if (subscription.status === 'pending') {
    const canceled = await endSubscription(tx, subscription, 'canceled')
    await emitSubscriptionEvent(tx, SubscriptionEvents.canceled, canceled)
    return canceled
  }
  if (subscription.endedAt || subscription.status === 'paused') return subscription
  const updated = await (subscription.status === 'suspended'
    ? skipSuspended(tx, subscription, charge)
    : advanceSubscription(tx, subscription, charge, { isPaid: false }))
  await emitSubscriptionEvent(tx, SubscriptionEvents.updated, updated)
  return updated
}

function skipSuspended(tx: StoreTx, subscription: Subscription, charge: Charge): Promise<Subscription> {
  const position = subscription.position + 1
  const chargesLeft = chargesLeftAt(subscription, position)
  return subscription.change(tx, { chargeNo: charge.chargeNo + 1, position, chargesLeft })
}
