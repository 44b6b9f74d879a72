import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { releaseHold } from '../jobs.ts'
import { type LockedOrder, lockOrder, Order } from '../order.ts'
import { releaseResources } from './resources.ts'

/** Schedules the end of an order's hold. */
export const scheduleRelease = (tx: StoreTx, orderId: string, holdUntil: Date): Promise<string> =>
  enqueue(tx, releaseHold, { orderId }, { startAfter: holdUntil })

/** Gives an order, which the caller has locked, a new end of its hold. */
export async function renewHold(tx: StoreTx, orderId: string, holdUntil: Date): Promise<void> {
  await Order.in(tx).findById(orderId).patch({ holdUntil })
  await scheduleRelease(tx, orderId, holdUntil)
}

/**
 * Releases the resources of an order and ends its hold: a payment reserves them again. `restock`: its shipped units are
 * on hand again.
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
 * Releases the resources of an unpaid order when its hold has ended. The order stays payable: a later payment reserves
 * them again, if they are available. A hold that was renewed is released at its new end.
 */
export async function releaseDueHold(tx: StoreTx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order.awaitsPayment || !order.holdUntil) return
  if (order.holdUntil > now()) {
    await scheduleRelease(tx, orderId, order.holdUntil)
    return
  }
  await releaseHeld(tx, order)
}
