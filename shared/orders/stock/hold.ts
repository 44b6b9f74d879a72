import { type LockedOrder, lockOrder, Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { releaseResources } from './resources.ts'

/** Sets a new end of an order's hold. The caller has locked the order. */
export async function renewHold(tx: StoreTx, orderId: string, holdUntil: Date): Promise<void> {
  await Order.in(tx).findById(orderId).patch({ holdUntil })
}

/**
 * Releases the resources of an order and ends its hold. A later payment reserves them again. `restock` puts its shipped
 * units back on hand.
 */
export async function releaseHeld(
  tx: StoreTx,
  order: LockedOrder,
  { restock = false }: { restock?: boolean } = {},
): Promise<void> {
  await releaseResources(tx, order, { restock })
  await Order.in(tx).findById(order.id).patch({ holdUntil: null })
}

/**
 * Releases the resources of an unpaid order if its hold has ended and was not renewed. The order stays payable: a later
 * payment reserves the resources again, if they are available.
 */
export async function releaseDueHold(tx: StoreTx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order.awaitsPayment || !order.holdUntil || order.holdUntil > now()) return
  await releaseHeld(tx, order)
}
