import type { OrderActor } from '#shared/orders/actor.ts'
import { cancelPayments } from '#shared/payments/close/cancel-payments.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type Charge, findAwaitedPayment } from '#shared/subscriptions/charge.ts'
import type { SettledSubscription } from '#shared/subscriptions/charges/settle-open-charge.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { emitSubscriptionEvent, SubscriptionEvents } from '#shared/subscriptions/events.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import { transitionSubscription } from '#shared/subscriptions/transition-subscription.ts'
import { pauseSubscription } from './pause-subscription.ts'

/**
 * Stops the charges of a subscription that the caller has locked and settled. It pauses an active one until staff or
 * the customer resume it, and ends the retries of one past due. Throws `subscription.charge_in_progress`. A repeat
 * changes nothing.
 */
export async function stopCharges(
  tx: StoreTx,
  { subscription, charge }: SettledSubscription,
  actor: OrderActor,
): Promise<void> {
  if (subscription.status === 'active') await pauseSubscription(tx, subscription.id, { actor })
  if (subscription.status === 'past_due') await suspend(tx, subscription, charge)
}

async function suspend(tx: StoreTx, subscription: Subscription, charge: Charge | null): Promise<void> {
  if (charge) await cancelAttempt(tx, charge)
  await charge?.change(tx, { nextAttemptAt: null, paymentId: null })
  const suspended = await transitionSubscription(tx, subscription, 'suspended')
  await emitSubscriptionEvent(tx, SubscriptionEvents.suspended, suspended)
}

/** Cancels an attempt that is not sent yet. A payment that the customer has started by the link stays open. */
async function cancelAttempt(tx: StoreTx, charge: Charge): Promise<void> {
  const payment = await findAwaitedPayment(tx, charge)
  if (payment?.status !== 'pending') return
  if (payment.sentAt) throw SubscriptionErrors.chargeInProgress()
  await cancelPayments(tx, payment.orderId)
}
