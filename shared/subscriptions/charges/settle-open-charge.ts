import { lockOrder, type Order } from '#shared/orders/order.ts'
import { SERVED_STATUSES } from '#shared/orders/states.ts'
import { findOpenPayment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type Charge, findAwaitedPayment, findOpenCharge } from '../charge.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '../events.ts'
import type { Subscription } from '../subscription.ts'
import { advanceSubscription, endSubscription } from '../transition-subscription.ts'
import { recordFailedAttempt } from './record-failed-attempt.ts'

/**
 * Applies the outcome of the open charge of a subscription, which the caller has locked: paid, given up, or a failed
 * attempt. Returns the charge that is still open, with its order locked.
 */
export async function settleOpenCharge(tx: StoreTx, subscription: Subscription): Promise<Charge | null> {
  const charge = await findOpenCharge(tx, subscription)
  if (!charge?.orderId) return charge ?? null
  // Locked, so that it is not paid or canceled before the caller has acted on what it finds.
  const order = await lockOrder(tx, charge.orderId)
  if (SERVED_STATUSES.has(order.status) || order.status === 'refunded') {
    await recordPaidCharge(tx, subscription, charge, order)
    return null
  }
  if (order.status === 'canceled') {
    await recordGivenUp(tx, subscription, charge)
    return null
  }
  const payment = await findAwaitedPayment(tx, charge)
  const hasFailed = payment?.status === 'failed' || payment?.status === 'canceled'
  // The customer who pays the order by its link cancels the attempt: their payment decides.
  if (hasFailed && !(await findOpenPayment(tx, order.id)))
    await recordFailedAttempt(tx, subscription, charge, payment.failureReason ?? payment.status)
  return charge
}

async function recordPaidCharge(
  tx: StoreTx,
  subscription: Subscription,
  charge: Charge,
  { paidAt, createdAt }: Order,
): Promise<void> {
  await charge.close(tx)
  if (subscription.status === 'canceled') return
  // The first order was paid after its time: the dates count from the payment.
  const startedAt = paidAt ?? createdAt
  if (subscription.status === 'expired') await subscription.change(tx, { startedAt, scheduleFrom: startedAt })
  await advanceSubscription(tx, subscription, charge, { isPaid: true })
  await emitSubscriptionEvent(tx, SubscriptionEvents.charged, subscription)
  if (subscription.status === 'completed')
    await emitSubscriptionEvent(tx, SubscriptionEvents.completed, subscription)
}

/**
 * Closes a charge whose order was canceled: the subscription continues with its next date. A suspended one stays
 * suspended until a payment or another card: its customer does not expect a charge after canceling the unpaid order.
 */
async function recordGivenUp(tx: StoreTx, subscription: Subscription, charge: Charge): Promise<void> {
  if (subscription.status === 'pending') {
    await charge.close(tx)
    await endSubscription(tx, subscription, 'canceled')
    await emitSubscriptionEvent(tx, SubscriptionEvents.canceled, subscription)
    return
  }
  await charge.close(tx)
  if (subscription.endedAt || subscription.status === 'paused') return
  if (subscription.status === 'suspended')
    await subscription.change(tx, { chargeNo: charge.chargeNo + 1, position: subscription.position + 1 })
  else await advanceSubscription(tx, subscription, charge, { isPaid: false })
  await emitSubscriptionEvent(tx, SubscriptionEvents.updated, subscription)
}
