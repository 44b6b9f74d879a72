import { customerActor } from '#shared/orders/actor.ts'
import { type Buyer, findOrderOfBuyer } from '#shared/orders/buyers/buyer.ts'
import { type LockedOrder, lockOrder } from '#shared/orders/order.ts'
import { type CardSetup, findOpenSetup } from '#shared/payments/card-setup.ts'
import { retryOpening } from '#shared/payments/card-setups/start-card-setup.ts'
import { findOpenPayment, type Payment } from '#shared/payments/payment.ts'
import type { PaymentOrSetup } from '#shared/payments/payment-or-setup.ts'
import { type PaymentWindow, paymentWindow } from '#shared/payments/payment-window.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { assertPayableByCard } from './assert-payable-by-card.ts'
import { assertStillOffered } from './assert-still-offered.ts'
import { limitAndRecordPayer } from './payer-network.ts'
import { renewReservation } from './renew-reservation.ts'
import { replaceCardSetup } from './replace-card-setup.ts'
import { replacePayment } from './replace-payment.ts'
import { enqueueOpening } from './start-payment.ts'

/** The buyer of an order, and the network of their address (`networkOfAddress`). */
interface Payer {
  buyer: Buyer
  network: string
}

/**
 * Lets a buyer pay an online order later. A pending order keeps its open payment. A failed order becomes pending,
 * reserves its resources again and gets a new payment. A free order gets a card setup instead. Throws
 * `order.not_payable`, 429 after too many declined cards, and the errors of `assertStillOffered` and
 * `reserveResources`.
 */
export async function payOrder(
  tx: StoreTx,
  store: Store,
  orderId: string,
  { buyer, network }: Payer,
): Promise<PaymentOrSetup> {
  await findOrderOfBuyer(tx, orderId, buyer)
  const order = await lockOrder(tx, orderId)
  await assertPayableByCard(tx, order)
  await assertStillOffered(tx, order)
  const window = paymentWindow(store)
  await renewReservation(tx, order, window)
  const isFree = order.dueMinor === 0n
  const opened = isFree ? await reopenSetup(tx, order, window) : await reopenPayment(tx, order, window)
  await limitAndRecordPayer(tx, opened, network)
  return opened
}

async function reopenPayment(tx: StoreTx, order: LockedOrder, window: PaymentWindow): Promise<Payment> {
  const open = await findOpenPayment(tx, order.id)
  if (!open || order.status !== 'pending')
    return replacePayment(tx, order, window, { actor: customerActor(order.customerId) })
  if (open.status === 'pending') await enqueueOpening(tx, open)
  return open
}

async function reopenSetup(tx: StoreTx, order: LockedOrder, window: PaymentWindow): Promise<CardSetup> {
  const open = await findOpenSetup(tx, { orderId: order.id })
  if (open && order.status === 'pending') return retryOpening(tx, open)
  return replaceCardSetup(tx, order, window, customerActor(order.customerId))
}
