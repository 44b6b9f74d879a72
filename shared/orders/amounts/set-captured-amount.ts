import { emitOrderEvents, type OrderEventKind } from '#shared/orders/events.ts'
import { recountCustomer } from '#shared/orders/figures/customer-figures.ts'
import { type LockedOrder, Order } from '#shared/orders/order.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Sets the captured amount of an order whose status stays, and returns the changed order. If the status changes too,
 * `transitionOrder` sets both.
 */
export async function setCapturedAmount(
  tx: StoreTx,
  order: LockedOrder,
  payment: { amountCapturedMinor: bigint; paidAt?: Date },
  events: OrderEventKind[],
): Promise<LockedOrder> {
  const changes = { ...payment, updatedAt: nextUpdatedAt(order) }
  await Order.in(tx).findById(order.id).patch(changes)
  recountCustomer(tx, order.customerId)
  await emitOrderEvents(tx, order.id, events)
  return order.with(changes)
}
