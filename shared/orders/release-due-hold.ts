import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { releaseHold } from './jobs.ts'
import { lockOrder } from './lock-order.ts'
import { Order } from './order.ts'
import { releaseResources } from './resources.ts'

/**
 * Lets go of what is kept for an order, its stock, its coupon and its part of a voucher, when the time for that is over.
 * The order stays payable: a payment that still comes takes all of it again, if it is there. A hold that was renewed
 * meanwhile is looked at again when it ends.
 */
export async function releaseDueHold(tx: StoreTx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  // What is paid or given up holds nothing any more.
  if (order.status !== 'pending' || !order.holdUntil) return
  if (order.holdUntil > now()) {
    await enqueue(tx, releaseHold, { orderId }, { startAfter: order.holdUntil })
    return
  }
  await releaseResources(tx, order)
  await Order.in(tx).findById(orderId).patch({ holdUntil: null })
}
