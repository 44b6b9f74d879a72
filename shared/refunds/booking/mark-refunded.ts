import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { ORDER_TRANSITIONS } from '#shared/orders/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { canTransition } from '#shared/platform/states.ts'
import type { Refund } from '#shared/refunds/refund.ts'

/** Makes a fully refunded order `refunded`, if its status allows that. Returns the order. */
export async function markRefunded(tx: StoreTx, order: LockedOrder, refund: Refund): Promise<LockedOrder> {
  const isRefunded = order.amountCapturedMinor > 0n && order.refundableMinor === 0n
  if (!isRefunded || !canTransition(ORDER_TRANSITIONS, order.status, 'refunded')) return order
  return changeOrderStatus(tx, order.id, 'refunded', refund.requestedBy, { note: refund.reason })
}
