import { updateVoucherBlocks } from '#shared/disputes/update-voucher-blocks.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findRefund, Refund } from '#shared/refunds/refund.ts'
import { lockReturn, Return } from '#shared/returns/return.ts'
import { completeIfSettled, recordReturnProgress } from './complete-if-settled.ts'
import { findOwedUnits } from './find-owed-units.ts'

/**
 * Completes the settled returns of an order after a refund has ended; the refund can pay for any of its returns.
 * Updates the returns that show the refund. After a failed refund, adds a note to the order's history with the
 * completed returns that are no longer refunded, and makes credits spendable that a lost dispute no longer blocks.
 */
export async function settleReturnsOfRefund(tx: StoreTx, refundId: string): Promise<void> {
  const { orderId, hasFailed } = await findRefund(tx, refundId)
  const affected = await Return.in(tx)
    .where('order_id', orderId)
    .where((either) => either.where('status', 'received').orWhere('refund_id', refundId))
    .orderBy('id')
  for (const { id } of affected) {
    const locked = await lockReturn(tx, id)
    if (locked.rma.refundId === refundId) await recordReturnProgress(tx, locked, {}, 'system')
    else await completeIfSettled(tx, locked, 'system')
  }
  if (!hasFailed) return
  await noteOwed(tx, orderId)
  // The order can have more left now, so that a lost dispute no longer exceeds it.
  await lockOrder(tx, orderId)
  await updateVoucherBlocks(tx, orderId)
}

/**
 * Adds a note with the completed returns whose goods are no longer paid for, because a bank returned the refund or
 * revised a lost dispute.
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
