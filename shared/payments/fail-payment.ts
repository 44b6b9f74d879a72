import type { Actor } from '#shared/orders/actor.ts'
import { orderPaymentFailed } from '#shared/orders/events.ts'
import { letGo } from '#shared/orders/holdings.ts'
import { moveOrder } from '#shared/orders/move-order.ts'
import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { lockPayment } from './lock-payment.ts'
import { Payment } from './payment.ts'
import { OPEN, PAYMENT_TRANSITIONS } from './states.ts'

/** Why a payment brought no money. */
export interface Failure {
  status: 'failed' | 'canceled'
  reason: string | null
}

/**
 * Takes note that a payment failed. Its order fails with it, and lets its stock go, unless another payment of it is
 * open. A failure told after the money came, or twice, changes nothing.
 */
export async function failPayment(
  tx: StoreTx,
  paymentId: string,
  { status, reason }: Failure,
): Promise<void> {
  const locked = await lockPayment(tx, paymentId)
  if (!locked || !canTransition(PAYMENT_TRANSITIONS, locked.payment.status, status)) return
  await Payment.in(tx).findById(paymentId).patch({ status, failureReason: reason, updatedAt: now() })
  await notifySettled(tx, paymentId)

  const { order } = locked
  const open = await Payment.in(tx).where('order_id', order.id).whereIn('status', OPEN).first()
  if (order.status === 'pending' && !open) await failOrder(tx, order, 'gateway', reason)
}

/** An order, which the caller has locked, that is not paid: it may be paid anew, from other stock. */
export async function failOrder(tx: StoreTx, order: Order, actor: Actor, note: string | null): Promise<void> {
  await letGo(tx, order)
  await moveOrder(tx, order, { to: 'failed', actor, note, events: [orderPaymentFailed] })
}
