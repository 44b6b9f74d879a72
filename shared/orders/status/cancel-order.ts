import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { customerActor } from '../actor.ts'
import { type Buyer, findOrderOfBuyer } from '../buyers/buyer.ts'
import { OrderErrors } from '../errors.ts'
import { lockOrder } from '../order.ts'
import { hasShippedUnits } from '../order-item.ts'
import { changeOrderStatus } from './change-order-status.ts'

/**
 * Cancels a buyer's own order. Throws `order.invalid_transition` once units of it shipped, `order.refund_required` once
 * it is paid.
 */
export async function cancelOrder(tx: StoreTx, orderId: string, buyer: Buyer): Promise<void> {
  await findOrderOfBuyer(tx, orderId, buyer)
  const order = await lockOrder(tx, orderId)
  // Only staff know whether shipped goods were accepted.
  if (order.status === 'shipped' || (await hasShippedUnits(tx, orderId)))
    throw OrderErrors.invalidTransition({ from: order.status, to: 'canceled', isShipped: true })
  await changeOrderStatus(tx, orderId, 'canceled', customerActor(order.customerId))
}
