import type { OrderActor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { calculateRemainder } from '#shared/refunds/calculate/calculate-remainder.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { loadRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'
import { findStoreRefundInProgress } from '#shared/refunds/refunds-in-progress.ts'
import { startRefund } from './start-refund.ts'

/**
 * Requests a refund of everything that is left. The order becomes `refunded` when it succeeds. A repeat during the
 * refund returns the same refund. Null if everything is refunded. `note` is for staff, so it is added to the history of
 * the order: buyers would read the reason of the refund. Throws like `requestRefund`.
 */
export async function refundRemainder(
  tx: StoreTx,
  orderId: string,
  actor: OrderActor,
  note: string | null = null,
): Promise<Refund | null> {
  const order = await lockOrder(tx, orderId)
  if (order.status === 'refunded' && order.refundableMinor === 0n) return null
  const inProgress = await findStoreRefundInProgress(tx, orderId)
  if (inProgress?.amountMinor === order.refundableMinor) return inProgress
  if (inProgress) throw RefundErrors.inProgress()
  const refundable = await loadRefundableOrder(tx, order)
  if (note) await addHistoryNote(tx, order, note, actor)
  return startRefund(tx, refundable, calculateRemainder(refundable), { actor })
}
