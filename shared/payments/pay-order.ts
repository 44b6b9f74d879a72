import { customerActor } from '#shared/orders/actor.ts'
import { type Buyer, findOrderOfBuyer } from '#shared/orders/buyer.ts'
import { lockOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { findOpenPayment, type Payment } from './payment.ts'
import { paymentWindow } from './payment-window.ts'
import { assertPayableByCard, renewReservation, replacePayment } from './renew-payment.ts'
import { enqueueOpening } from './start-payment.ts'

/**
 * Lets a buyer pay an online order later. A pending order keeps its open payment. A failed order becomes pending with
 * its stock, coupon and voucher reserved again and a new payment. Throws `order.not_payable`, and the errors of
 * `reserveResources`.
 */
export async function payOrder(tx: StoreTx, store: Store, orderId: string, buyer: Buyer): Promise<Payment> {
  await findOrderOfBuyer(tx, orderId, buyer)
  const order = await lockOrder(tx, orderId)
  await assertPayableByCard(tx, order)
  const window = paymentWindow(store)
  await renewReservation(tx, order, window)
  const open = await findOpenPayment(tx, orderId)
  if (open && order.status === 'pending') return retryOpening(tx, open)
  return replacePayment(tx, order, window, { actor: customerActor(order.customerId) })
}

async function retryOpening(tx: StoreTx, payment: Payment): Promise<Payment> {
  if (payment.status === 'pending') await enqueueOpening(tx, payment)
  return payment
}
