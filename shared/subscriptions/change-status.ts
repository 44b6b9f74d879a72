import type { Actor } from '#shared/orders/history/actor.ts'
import { changeOrderStatus } from '#shared/orders/status/change-order-status.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type Charge, findAwaitedPayment } from './charge.ts'
import { SubscriptionErrors } from './errors.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from './events.ts'
import { lockSettled } from './lock-settled.ts'
import { settle } from './settle-charge.ts'
import type { Subscription } from './subscription.ts'
import { activate, end, transition } from './transition-subscription.ts'

/** Who changes a subscription. A customer changes only their own. */
export interface Change {
  actor: Actor
  customerId?: string | undefined
}

/**
 * Pauses an active subscription: nothing is charged until it is resumed. Throws `subscription.invalid_transition`, and
 * `subscription.charge_in_progress`.
 */
export async function pauseSubscription(tx: StoreTx, id: string, change: Change): Promise<Subscription> {
  const { subscription, charge } = await lockSettled(tx, id, change)
  await transition(tx, subscription, 'paused')
  if (charge) await giveUp(tx, subscription, charge, change.actor)
  await emitSubscriptionEvent(tx, SubscriptionEvents.paused, subscription)
  return subscription
}

/**
 * Resumes a paused subscription at its next date: the time of the pause is never charged. One that was to end with its period
 * goes on. Throws `subscription.invalid_transition`.
 */
export async function resumeSubscription(tx: StoreTx, id: string, change: Change): Promise<Subscription> {
  const { subscription } = await lockSettled(tx, id, change)
  if (subscription.cancelsAtPeriodEnd && subscription.status === 'active') return keep(tx, subscription)
  if (subscription.status !== 'paused')
    throw SubscriptionErrors.invalidTransition({ from: subscription.status, to: 'active' })
  await activate(tx, subscription, { skipMissed: true })
  await emitSubscriptionEvent(tx, SubscriptionEvents.resumed, subscription)
  return subscription
}

async function keep(tx: StoreTx, subscription: Subscription): Promise<Subscription> {
  await subscription.change(tx, { cancelsAtPeriodEnd: false })
  await emitSubscriptionEvent(tx, SubscriptionEvents.updated, subscription)
  return subscription
}

/**
 * Cancels a subscription at once, or instead of the next charge. After the answer nothing is charged: an open charge is
 * canceled with it, and one that is at the gateway at this moment throws `subscription.charge_in_progress`.
 */
export async function cancelSubscription(
  tx: StoreTx,
  id: string,
  { at, ...change }: Change & { at: 'now' | 'period_end' },
): Promise<Subscription> {
  const { subscription, charge } = await lockSettled(tx, id, change)
  if (at === 'period_end' && subscription.status === 'active' && !charge) {
    if (subscription.cancelsAtPeriodEnd) return subscription
    await subscription.change(tx, { cancelsAtPeriodEnd: true })
    await emitSubscriptionEvent(tx, SubscriptionEvents.cancellationScheduled, subscription)
    return subscription
  }
  await end(tx, subscription, 'canceled')
  // The first order may hold other goods: it stays as it is.
  if (charge && charge.chargeNo > 1) await giveUp(tx, subscription, charge, change.actor)
  await emitSubscriptionEvent(tx, SubscriptionEvents.canceled, subscription)
  return subscription
}

/** Gives up an open charge: its order is canceled, unless the gateway is charging it at this moment. */
async function giveUp(tx: StoreTx, subscription: Subscription, charge: Charge, actor: Actor): Promise<void> {
  if (charge.orderId) {
    // A charge is sent under the lock of its order, which `settleOpenCharge` has taken.
    const payment = await findAwaitedPayment(tx, charge)
    if (payment?.status === 'pending' && payment.sentAt) throw SubscriptionErrors.chargeInProgress()
    await changeOrderStatus(tx, charge.orderId, 'canceled', actor)
  }
  await settle(tx, charge)
  await subscription.change(tx, { chargeNo: charge.chargeNo + 1 })
}
