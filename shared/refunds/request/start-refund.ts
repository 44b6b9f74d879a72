import type { OrderActor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import type { RefundBreakdown } from '#shared/refunds/calculate/calculate-refund.ts'
import type { RefundOptions } from '#shared/refunds/calculate/refund-request.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { findRefund, type Refund } from '#shared/refunds/refund.ts'
import type { LoadedRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'
import { SUCCEEDED_WITHOUT_GATEWAY, settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { insertRefund } from './insert-refund.ts'
import { planRefund } from './plan-refund.ts'

/**
 * Inserts a calculated refund, and enqueues its sending to the gateway. A refund without a gateway payment is settled
 * immediately instead. Returns the refund as it is now. Throws the errors of `planRefund`.
 */
export async function startRefund(
  tx: StoreTx,
  refundable: LoadedRefundableOrder,
  breakdown: RefundBreakdown,
  { actor, ...options }: RefundOptions & { actor: OrderActor },
): Promise<Refund> {
  const { reason = null, restock = false, isReturn = false } = options
  const plan = await planRefund(tx, refundable, breakdown, options)
  const columns = { reason, restock, isReturn, requestedBy: actor }
  return sendOrSettle(tx, await insertRefund(tx, refundable, { ...plan, ...columns }))
}

async function sendOrSettle(tx: StoreTx, refund: Refund): Promise<Refund> {
  if (refund.paymentId) {
    await enqueue(tx, sendRefund, { refundId: refund.id })
    return refund
  }
  await settleRefund(tx, refund.id, SUCCEEDED_WITHOUT_GATEWAY)
  return findRefund(tx, refund.id)
}
