import { cancelPayment } from '#shared/payments/jobs.ts'
import { Payment } from '#shared/payments/payment.ts'
import { CANCELABLE_PAYMENT_STATUSES } from '#shared/payments/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Cancels, here and at the gateway, every payment of an order that could still be captured. The caller has locked the
 * order.
 */
export async function cancelPayments(tx: StoreTx, orderId: string): Promise<void> {
  const canceled = await Payment.in(tx)
    .where('order_id', orderId)
    .whereIn('status', CANCELABLE_PAYMENT_STATUSES)
    .patch({ status: 'canceled', updatedAt: now() })
    .returning('id')
  for (const { id } of canceled) {
    await enqueue(tx, cancelPayment, { paymentId: id })
    await notifySettled(tx, id)
  }
}
