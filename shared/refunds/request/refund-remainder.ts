import type { OrderActor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { calculateRemainder } from '#shared/refunds/calculate/calculate-refund.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { lockRefundableOrder } from '#shared/refunds/refundable/lock-refundable-order.ts'
import { findStoreRefundInProgress } from '#shared/refunds/refunds-in-progress.ts'
import { decideRefund } from './decide-refund.ts'
import { insertRefund } from './insert-refund.ts'
import { sendOrSettle } from './send-or-settle.ts'

/**
 * Requests a refund of everything that is left. The order becomes `refunded` when it succeeds. A repeat during the
 * refund returns the same refund. Null if everything is refunded. `note` is for staff: the history of the order has it,
 * and the refund has no reason, which buyers read. Throws like `requestRefund`.
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
  const refundable = await lockRefundableOrder(tx, order)
  const terms = { means: 'gateway', override: false } as const
  const draft = await decideRefund(tx, refundable, calculateRemainder(refundable), terms)
  if (note) await addHistoryNote(tx, order, note, actor)
  const columns = { reason: null, restock: false, isReturn: false, requestedBy: actor }
  return sendOrSettle(tx, await insertRefund(tx, order, { ...draft, ...columns }))
}
