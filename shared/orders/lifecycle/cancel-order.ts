import { customerActor } from '#shared/orders/actor.ts'
import { type Buyer, findOrderOfBuyer } from '#shared/orders/buyers/buyer.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { hasShippedUnits } from '#shared/orders/order-item.ts'
import { SENDS_GOODS } from '#shared/orders/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { changeOrderStatus } from './change-order-status.ts'

/**
 * Cancels an order for its buyer. Throws `order.invalid_transition` once units have shipped, and
 * `order.refund_required` once the order is paid.
 */
export async function cancelOrder(tx: StoreTx, orderId: string, buyer: Buyer): Promise<void> {
  await findOrderOfBuyer(tx, orderId, buyer)
  const order = await lockOrder(tx, orderId)
  // Only staff know whether shipped goods were accepted.
  if (SENDS_GOODS.has(order.status) || (await hasShippedUnits(tx, orderId)))
    throw OrderErrors.invalidTransition({ from: order.status, to: 'canceled', isShipped: true })
  await changeOrderStatus(tx, orderId, 'canceled', customerActor(order.customerId))
}
