import type { OrderActor } from '#shared/orders/actor.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import type { CardSetup } from '#shared/payments/card-setup.ts'
import { startCardSetup } from '#shared/payments/card-setups/start-card-setup.ts'
import type { PaymentWindow } from '#shared/payments/payment-window.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { reopenOrder } from './reopen-order.ts'

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
