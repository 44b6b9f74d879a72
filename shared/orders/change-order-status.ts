import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import type { Actor } from './actor.ts'
import { OrderErrors } from './errors.ts'
import { lockOrder, type Order } from './order.ts'
import { releaseResources, reserveResources } from './resources.ts'
import { ORDER_TRANSITIONS, type OrderStatus } from './states.ts'
import { transitionOrderStock } from './stock.ts'
import { transitionOrder } from './transition-order.ts'

/**
 * Changes the status of an order, with its resources, history and events. No money moves: paid money is refunded
 * before its order can be canceled. Throws `resource.not_found`, `order.invalid_transition`, `order.refund_required`,
 * and the errors of `reserveResources`. Returns the order as it was before.
 */
export async function changeOrderStatus(
  tx: StoreTx,
  orderId: string,
  to: OrderStatus,
  actor: Actor,
  note: string | null = null,
): Promise<Order> {
  const order = await lockOrder(tx, orderId)
  assertTransition(ORDER_TRANSITIONS, order.status, to, OrderErrors.invalidTransition)
  if (to === 'canceled' && order.refundableMinor > 0n) throw OrderErrors.refundRequired()

  await transitionResources(tx, order, to)
  await transitionOrder(tx, order, { to, actor, note })
  return order
}

async function transitionResources(tx: StoreTx, order: Order, to: OrderStatus): Promise<void> {
  switch (to) {
    case 'pending':
    case 'processing':
      return reserveResources(tx, order, to)
    case 'failed':
    case 'canceled':
      return releaseResources(tx, order)
    default:
      // Voucher and coupon stay used.
      return transitionOrderStock(tx, order, to)
  }
}
