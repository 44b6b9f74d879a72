import { lockOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { cancelPayments } from './cancel-payments.ts'
import { failOrder } from './fail-payment.ts'
import { expireOrder } from './jobs.ts'

/** Fails an order that was not paid before `expiresAt`. When `expiresAt` was extended, the job runs again then. */
export async function expireDueOrder(tx: StoreTx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (order.status !== 'pending' || !order.expiresAt) return
  if (order.expiresAt > now()) {
    await enqueue(tx, expireOrder, { orderId }, { startAfter: order.expiresAt })
    return
  }
  await cancelPayments(tx, orderId)
  await failOrder(tx, order, 'system', 'It was not paid in its time.')
}
