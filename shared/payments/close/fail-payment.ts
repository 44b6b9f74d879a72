import type { OrderActor } from '#shared/orders/actor.ts'
import { orderPaymentFailed } from '#shared/orders/events.ts'
import { transitionOrder } from '#shared/orders/lifecycle/transition-order.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { releaseHeld } from '#shared/orders/stock/hold.ts'
import { findOpenPayment, lockPayment, Payment } from '#shared/payments/payment.ts'
import { PAYMENT_TRANSITIONS } from '#shared/payments/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'

export interface PaymentFailure {
  status: 'failed' | 'canceled'
  reason: string | null
}

/**
 * Records that a payment failed. The order fails too, unless another payment of it is open. After a decline the buyer
 * can pay with another card, so the order keeps its resources until its hold ends. A failure that arrives twice, or
 * after the capture, changes nothing.
 */
export async function failPayment(
  tx: StoreTx,
  paymentId: string,
  { status, reason }: PaymentFailure,
): Promise<void> {
  const locked = await lockPayment(tx, paymentId)
  if (!locked || !canTransition(PAYMENT_TRANSITIONS, locked.payment.status, status)) return
  await Payment.in(tx).findById(paymentId).patch({ status, failureReason: reason, updatedAt: now() })
  await notifySettled(tx, paymentId)

  const { order } = locked
  const open = await findOpenPayment(tx, order.id)
  if (open || !order.awaitsPayment) return
  if (status === 'canceled') await releaseHeld(tx, order)
  if (order.status === 'pending') await failOrder(tx, order, 'gateway', reason)
}

/** Fails an unpaid order, and returns it. It can be paid again. */
export const failOrder = (
  tx: StoreTx,
  order: LockedOrder,
  actor: OrderActor,
  note: string | null,
): Promise<LockedOrder> =>
  transitionOrder(tx, order, { to: 'failed', actor, note, events: [orderPaymentFailed] })
