import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import type { Actor } from './actor.ts'
import { OrderErrors } from './errors.ts'
import { letGo, takeAgain } from './holdings.ts'
import { lockOrder } from './lock-order.ts'
import { moveOrder } from './move-order.ts'
import type { Order } from './order.ts'
import { ORDER_TRANSITIONS, type OrderStatus, STOCK_OF_STATUS } from './states.ts'
import { assertNoneShort } from './stock/assert-none-short.ts'
import { moveStock } from './stock/move-stock.ts'

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
      return takeAgain(tx, order, to)
    case 'failed':
    case 'canceled':
      return letGo(tx, order)
    default: {
      // Voucher and coupon were used: that stays so, whatever becomes of the goods.
      const stock = { orderId: order.id, ...STOCK_OF_STATUS[to] }
      return assertNoneShort(tx, order.id, await moveStock(tx, stock))
    }
  }
}
