import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { cancelPayment } from './jobs.ts'
import { Payment } from './payment.ts'
import { PAYABLE } from './states.ts'

/** Gives up every payment of an order, which the caller has locked, that could still bring money; the gateway is told. */
export async function giveUpPayments(tx: StoreTx, orderId: string): Promise<void> {
  const givenUp = await Payment.in(tx)
    .where('order_id', orderId)
    .whereIn('status', PAYABLE)
    .patch({ status: 'canceled', updatedAt: now() })
    .returning('id')
  for (const { id } of givenUp) await enqueue(tx, cancelPayment, { paymentId: id })
}
