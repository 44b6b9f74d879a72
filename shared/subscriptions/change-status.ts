import type { Actor } from '#shared/orders/actor.ts'
import { changeOrderStatus } from '#shared/orders/change-order-status.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isTrialCharge } from '#shared/recurring-plans/schedule.ts'
import type { Charge } from './charge.ts'
import { SubscriptionErrors } from './errors.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from './events.ts'
import { settle, settleOpenCharge } from './settle-charge.ts'
import { lockSubscription, type Subscription } from './subscription.ts'
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

/**
 * Leaves out the next delivery of an active subscription: neither sent nor charged. Throws `subscription.not_changeable` in
 * its trial and while a charge is open.
 */
export async function skipDelivery(tx: StoreTx, id: string, change: Change): Promise<Subscription> {
  const { subscription, charge } = await lockSettled(tx, id, change)
  const { status, terms, position } = subscription
  if (status !== 'active' || charge || isTrialCharge(terms, position))
    throw SubscriptionErrors.notChangeable({
      rule: 'A delivery can be skipped while the subscription is active, after its trial and while no charge is open',
      status,
    })
  await subscription.change(tx, { position: position + 1 })
  await activate(tx, subscription, { skipMissed: true })
  await emitSubscriptionEvent(tx, SubscriptionEvents.updated, subscription)
  return subscription
}

/** Locks a subscription, and applies first what became of its open charge. Throws 404 for another customer's. */
export async function lockSettled(
  tx: StoreTx,
  id: string,
  { customerId }: Pick<Change, 'customerId'>,
): Promise<{ subscription: Subscription; charge: Charge | null }> {
  const subscription = await lockSubscription(tx, id, { customerId })
  return { subscription, charge: await settleOpenCharge(tx, subscription) }
}

/** Gives up an open charge: its order is canceled, unless the gateway is charging it at this moment. */
async function giveUp(tx: StoreTx, subscription: Subscription, charge: Charge, actor: Actor): Promise<void> {
  if (charge.orderId) {
    // A charge is sent under the lock of its order, which `settleOpenCharge` has taken.
    const payment = charge.paymentId ? await Payment.in(tx).findById(charge.paymentId) : undefined
    if (payment?.status === 'pending' && payment.sentAt) throw SubscriptionErrors.chargeInProgress()
    await changeOrderStatus(tx, charge.orderId, 'canceled', actor)
  }
  await settle(tx, charge)
  await subscription.change(tx, { chargeNo: charge.chargeNo + 1 })
}
