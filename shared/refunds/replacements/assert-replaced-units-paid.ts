import { lockOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { unrefundedGoodsMinor } from '#shared/refunds/calculate/refund-limit.ts'
import { lowestExactPriceMinor } from '#shared/refunds/calculate/round-for-gateway.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { loadRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'
import { IN_PROGRESS_REFUND_STATUSES } from '#shared/refunds/states.ts'

/**
 * Throws `order.replaced_units_refunded` if the gateway or a bank refunds the price of replaced units, or has done so.
 * The store itself refunds such units only with an override.
 */
export async function assertReplacedUnitsPaid(tx: StoreTx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  const byOthers = await Refund.in(tx)
    .where('order_id', orderId)
    .whereIn('origin', ['gateway', 'dispute'])
    .whereIn('status', ['succeeded', ...IN_PROGRESS_REFUND_STATUSES])
    .whereRaw('amount_minor > surplus_minor + excess_minor')
    .first()
  if (!byOthers) return
  // Refunds of other units may have been rounded up.
  const missingMinor = lowestExactPriceMinor(
    -unrefundedGoodsMinor(await loadRefundableOrder(tx, order)),
    order,
  )
  if (missingMinor > 0n) throw RefundErrors.replacedUnitsRefunded()
}
