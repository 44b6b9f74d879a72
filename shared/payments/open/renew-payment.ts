import type { OrderActor } from '#shared/orders/actor.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { transitionOrder } from '#shared/orders/lifecycle/transition-order.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { renewHold } from '#shared/orders/stock/hold.ts'
import { reserveResources } from '#shared/orders/stock/resources.ts'
import type { CardSetup } from '#shared/payments/card-setup.ts'
import { startCardSetup } from '#shared/payments/card-setups/start-card-setup.ts'
import { cancelPayments } from '#shared/payments/close/cancel-payments.ts'
import { findMismatchedPayment, type Payment } from '#shared/payments/payment.ts'
import { type PaymentWindow, scheduleExpiry } from '#shared/payments/payment-window.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type PaymentCard, startPayment } from './start-payment.ts'

/** Throws `order.not_payable` unless an order awaits a payment by card. */
export async function assertPayableByCard(
  tx: StoreTx,
  { id, status, awaitsPayment, paymentMethod: method }: LockedOrder,
): Promise<void> {
  if (!awaitsPayment || method !== 'card') throw OrderErrors.notPayable({ status, method })
  if (await findMismatchedPayment(tx, id)) throw OrderErrors.notPayable({ reason: 'mismatched' })
}

/**
 * Reserves the released resources of an order again, because a payment for stock that is gone would only be refunded.
 */
export async function renewReservation(
  tx: StoreTx,
  order: LockedOrder,
  { holdUntil }: PaymentWindow,
): Promise<void> {
  // Do not extend a running hold: repeated requests could keep the stock from other buyers for ever.
  if (order.holdUntil && order.holdUntil > now()) return
  await reserveResources(tx, order, 'pending')
  await renewHold(tx, order.id, holdUntil)
}

/** Cancels the payments of an order and starts a new one. A failed order becomes pending. */
export async function replacePayment(
  tx: StoreTx,
  order: LockedOrder,
  window: PaymentWindow,
  { actor, card }: { actor: OrderActor; card?: PaymentCard },
): Promise<Payment> {
  const { id, dueMinor, currency, subscriptionId } = order
  const { expiresAt } = window
  await cancelPayments(tx, id)
  await reopenOrder(tx, order, window, actor)
  return startPayment(tx, { id, dueMinor, currency, expiresAt, subscriptionId }, card)
}

/** Cancels the card setups of a customer's free order and starts a new one. A failed order becomes pending. */
export async function replaceCardSetup(
  tx: StoreTx,
  order: LockedOrder,
  window: PaymentWindow,
  actor: OrderActor,
): Promise<CardSetup> {
  const { id: orderId, customerId } = order
  if (!customerId) throw new Error(`The order ${orderId} of a guest saves no card`)
  await reopenOrder(tx, order, window, actor)
  return startCardSetup(tx, { customerId, orderId, expiresAt: window.expiresAt })
}

async function reopenOrder(
  tx: StoreTx,
  order: LockedOrder,
  { expiresAt }: PaymentWindow,
  actor: OrderActor,
): Promise<void> {
  if (order.status === 'failed')
    await transitionOrder(tx, order, { to: 'pending', actor, set: { expiresAt } })
  await scheduleExpiry(tx, order.id, expiresAt)
}
