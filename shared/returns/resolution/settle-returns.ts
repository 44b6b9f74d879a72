import { addHistoryNote } from '#shared/orders/order-history.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findRefund, Refund } from '#shared/refunds/refund.ts'
import { lockReturn, Return } from '#shared/returns/return.ts'
import { completeIfSettled, recordReturnProgress } from './complete-return.ts'
import { findOwedUnits } from './owed-units.ts'

/**
 * Completes the received returns of an order whose refund has ended, when they are settled: the refund can pay for any.
 * The returns that show the refund are updated. After a failed refund, the history of the order names the completed
 * returns that are not refunded any more.
 */
export async function settleReturnsOfRefund(tx: StoreTx, refundId: string): Promise<void> {
  const { orderId, status } = await findRefund(tx, refundId)
  const affected = await Return.in(tx)
    .where('order_id', orderId)
    .where((either) => either.where('status', 'received').orWhere('refund_id', refundId))
    .orderBy('id')
  for (const { id } of affected) {
    const locked = await lockReturn(tx, id)
    if (locked.rma.refundId === refundId) await recordReturnProgress(tx, locked, {}, 'system')
    else await completeIfSettled(tx, locked, 'system')
  }
  if (status === 'failed' || status === 'canceled') await noteOwed(tx, orderId)
}

/**
 * Notes the completed returns whose goods are not paid for any more: a bank returned the refund, or revised a lost
 * dispute.
 */
async function noteOwed(tx: StoreTx, orderId: string): Promise<void> {
  const completed = await Return.in(tx)
    .where({ order_id: orderId, status: 'completed' })
    .whereIn('action', ['refund', 'credit'])
    .orderBy('id')
  for (const { id, number, refundId } of completed) {
    const { order } = await lockReturn(tx, id)
    const refund = refundId ? await Refund.in(tx).findById(refundId) : undefined
    const isOwed = refund?.status !== 'succeeded' && (await findOwedUnits(tx, order, id)).length > 0
    if (isOwed)
      await addHistoryNote(
        tx,
        order,
        `Return ${number} is completed, and its goods are not refunded any more`,
        'system',
      )
  }
}
