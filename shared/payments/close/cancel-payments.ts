import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'
import { cancelPayment } from '../jobs.ts'
import { Payment } from '../payment.ts'
import { CANCELABLE_STATUSES } from '../states.ts'

/**
 * Cancels every payment of an order, which the caller has locked, that could still be captured; here and at the
 * gateway.
 */
export async function cancelPayments(tx: StoreTx, orderId: string): Promise<void> {
  const canceled = await Payment.in(tx)
    .where('order_id', orderId)
    .whereIn('status', CANCELABLE_STATUSES)
    .patch({ status: 'canceled', updatedAt: now() })
    .returning('id')
  for (const { id } of canceled) {
    await enqueue(tx, cancelPayment, { paymentId: id })
    await notifySettled(tx, id)
  }
}
