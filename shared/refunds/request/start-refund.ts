import type { OrderActor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { RefundBreakdown } from '#shared/refunds/calculate/calculate-refund.ts'
import type { RefundOptions } from '#shared/refunds/calculate/refund-request.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import type { LoadedRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'
import { insertRefund } from './insert-refund.ts'
import { planRefund } from './plan-refund.ts'
import { sendOrSettle } from './send-or-settle.ts'

/** Inserts a calculated refund, and sends or settles it. Throws the errors of `planRefund`. */
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
