import type { OrderActor } from '#shared/orders/actor.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { cancelPayments } from '#shared/payments/close/cancel-payments.ts'
import type { Payment } from '#shared/payments/payment.ts'
import type { PaymentWindow } from '#shared/payments/payment-window.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { reopenOrder } from './reopen-order.ts'
import { type PaymentCard, startPayment } from './start-payment.ts'

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
