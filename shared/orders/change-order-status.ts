import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import type { Actor } from './actor.ts'
import { OrderErrors } from './errors.ts'
import { lockOrder } from './lock-order.ts'
import { moveOrder } from './move-order.ts'
import type { Order } from './order.ts'
import { releaseResources, reserveResources } from './resources.ts'
import { ORDER_TRANSITIONS, type OrderStatus } from './states.ts'
import { transitionOrderStock } from './stock.ts'

/**
 * Gives an order a new status, with what that means for what it holds and who is told. No money moves here: paid money
 * is refunded before its order can be canceled. Throws `resource.not_found`, `order.invalid_transition`,
 * `order.refund_required`, and what `takeAgain` throws. Returns the order as it was before.
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

  await moveHoldings(tx, order, to)
  await moveOrder(tx, order, { to, actor, note })
  return order
}

async function moveHoldings(tx: StoreTx, order: Order, to: OrderStatus): Promise<void> {
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
