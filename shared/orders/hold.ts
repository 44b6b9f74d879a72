import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { releaseHold } from './jobs.ts'
import { Order } from './order.ts'

/** Schedules the release of what an order holds. */
export const scheduleRelease = (tx: StoreTx, orderId: string, holdUntil: Date): Promise<string> =>
  enqueue(tx, releaseHold, { orderId }, { startAfter: holdUntil })

/** Gives an order, which the caller has locked, a new end of its hold. */
export async function renewHold(tx: StoreTx, orderId: string, holdUntil: Date): Promise<void> {
  await Order.in(tx).findById(orderId).patch({ holdUntil })
  await scheduleRelease(tx, orderId, holdUntil)
}
