import { lockOrder } from '#shared/orders/order.ts'
import { recordAttempt, Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { sendRefund } from './jobs.ts'
import { Refund } from './refund.ts'
import { IN_PROGRESS_STATUSES } from './states.ts'

/**
 * Starts the refund of what is owed of a surplus. While one is in progress, and when nothing is owed, it changes nothing:
 * one surplus is returned once, however many jobs ask for it.
 */
export async function returnSurplus(tx: StoreTx, surplusId: string): Promise<void> {
  const { orderId } = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  await lockOrder(tx, orderId)
  const surplus = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  const inProgress = await Refund.in(tx)
    .where('surplus_id', surplusId)
    .whereIn('status', [...IN_PROGRESS_STATUSES])
    .first()
  if (inProgress || surplus.owedMinor === 0n) return
  const refund = await Refund.in(tx).insert({
    orderId,
    paymentId: surplus.paymentId,
    origin: 'surplus',
    surplusId,
    surplusMinor: surplus.owedMinor,
    status: 'pending',
    amountMinor: surplus.owedMinor,
    gatewayAmountMinor: surplus.owedMinor,
    currency: surplus.currency,
    reason: 'Paid too much',
    requestedBy: 'system',
    createdAt: now(),
  })
  await recordAttempt(tx, surplus)
  await enqueue(tx, sendRefund, { refundId: refund.id })
}
