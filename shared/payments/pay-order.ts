import { customerActor } from '#shared/orders/actor.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { type Buyer, findBuyersOrder } from '#shared/orders/find-buyers-order.ts'
import { takeAgain } from '#shared/orders/holdings.ts'
import { lockOrder } from '#shared/orders/lock-order.ts'
import { moveOrder } from '#shared/orders/move-order.ts'
import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { giveUpPayments } from './give-up-payments.ts'
import { openPayment } from './jobs.ts'
import { Payment } from './payment.ts'
import { type PaymentWindow, paymentWindow, scheduleExpiry, scheduleRelease } from './schedule-expiry.ts'
import { startPayment } from './start-payment.ts'
import { OPEN } from './states.ts'

/**
 * Lets a buyer pay an online order after all: one that still waits keeps its open payment, one that failed waits
 * again, with its stock held, its coupon taken and its part of a voucher reserved anew, and a new payment in place of
 * the old. Throws `order.not_payable`, and what `takeAgain` throws.
 */
export async function payOrder(tx: StoreTx, store: Store, orderId: string, buyer: Buyer): Promise<Payment> {
  await findBuyersOrder(tx, orderId, buyer)
  const order = await lockOrder(tx, orderId)
  const isPayable = order.status === 'pending' || order.status === 'failed'
  if (!isPayable || order.paymentMethod !== 'card')
    throw OrderErrors.notPayable({ status: order.status, method: order.paymentMethod })

  const window = paymentWindow(store)
  await holdAgain(tx, order, window)
  const open = await Payment.in(tx).where('order_id', orderId).whereIn('status', OPEN).first()
  if (open && order.status === 'pending') return openAgain(tx, open)
  return startAnew(tx, order, window)
}

/** A payment that no worker could open yet is tried once more: its id is the key, so it opens once. */
async function openAgain(tx: StoreTx, payment: Payment): Promise<Payment> {
  if (payment.status === 'pending') await enqueue(tx, openPayment, { paymentId: payment.id })
  return payment
}

/** What the order holds may have been let go of meanwhile: paying for what is gone would only bring the money back. */
async function holdAgain(tx: StoreTx, order: Order, window: PaymentWindow): Promise<void> {
  const { id: orderId, status, holdUntil } = order
  // What is still held is not prolonged: asking again and again would keep it from all others.
  if (status === 'pending' && holdUntil && holdUntil > now()) return
  await takeAgain(tx, order, 'pending')
  await Order.in(tx).findById(orderId).patch({ holdUntil: window.holdUntil })
  await scheduleRelease(tx, orderId, window)
}

async function startAnew(tx: StoreTx, order: Order, window: PaymentWindow): Promise<Payment> {
  const { id, dueMinor, currency } = order
  const { expiresAt } = window
  await giveUpPayments(tx, id)
  if (order.status === 'failed')
    await moveOrder(tx, order, { to: 'pending', actor: customerActor(order.customerId), set: { expiresAt } })
  await scheduleExpiry(tx, id, window)
  return startPayment(tx, { id, dueMinor, currency, expiresAt })
}
