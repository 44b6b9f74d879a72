import { customerActor } from '#shared/orders/actor.ts'
import { type Buyer, findOrderOfBuyer } from '#shared/orders/buyer.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { renewHold } from '#shared/orders/hold.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { reserveResources } from '#shared/orders/resources.ts'
import { transitionOrder } from '#shared/orders/transition-order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { cancelPayments } from './cancel-payments.ts'
import { openPayment } from './jobs.ts'
import { findMismatchedPayment, findOpenPayment, type Payment } from './payment.ts'
import { type PaymentWindow, paymentWindow, scheduleExpiry } from './payment-window.ts'
import { startPayment } from './start-payment.ts'

/**
 * Lets a buyer pay an online order later. A pending order keeps its open payment. A failed order becomes pending with
 * its stock, coupon and voucher reserved again and a new payment. Throws `order.not_payable`, and the errors of
 * `reserveResources`.
 */
export async function payOrder(tx: StoreTx, store: Store, orderId: string, buyer: Buyer): Promise<Payment> {
  await findOrderOfBuyer(tx, orderId, buyer)
  const order = await lockOrder(tx, orderId)
  if (!order.awaitsPayment || order.paymentMethod !== 'card')
    throw OrderErrors.notPayable({ status: order.status, method: order.paymentMethod })
  if (await findMismatchedPayment(tx, orderId))
    throw OrderErrors.notPayable({ status: 'under review', method: order.paymentMethod })

  const window = paymentWindow(store)
  await renewReservation(tx, order, window)
  const open = await findOpenPayment(tx, orderId)
  if (open && order.status === 'pending') return retryOpening(tx, open)
  return replacePayment(tx, order, window)
}

/** The payment's id is its idempotency key, so a second attempt does not open it twice. */
async function retryOpening(tx: StoreTx, payment: Payment): Promise<Payment> {
  if (payment.status === 'pending') await enqueue(tx, openPayment, { paymentId: payment.id })
  return payment
}

/** Reserves again what the order has released: a payment for stock that is gone would only be refunded. */
async function renewReservation(tx: StoreTx, order: Order, { holdUntil }: PaymentWindow): Promise<void> {
  // A running hold is not extended: repeated requests could keep the stock from other buyers for ever.
  if (order.holdUntil && order.holdUntil > now()) return
  await reserveResources(tx, order, 'pending')
  await renewHold(tx, order.id, holdUntil)
}

async function replacePayment(tx: StoreTx, order: Order, window: PaymentWindow): Promise<Payment> {
  const { id, dueMinor, currency } = order
  const { expiresAt } = window
  await cancelPayments(tx, id)
  if (order.status === 'failed')
    await transitionOrder(tx, order, {
      to: 'pending',
      actor: customerActor(order.customerId),
      set: { expiresAt },
    })
  await scheduleExpiry(tx, id, expiresAt)
  return startPayment(tx, { id, dueMinor, currency, expiresAt })
}
