import { lockOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { goodsLeftMinor } from '../calculate/refund-limit.ts'
import { withoutRounding } from '../calculate/round-for-gateway.ts'
import { RefundErrors } from '../errors.ts'
import { Refund } from '../refund.ts'
import { loadRefundableOrder } from '../refundable/load-refundable-order.ts'
import { IN_PROGRESS_STATUSES } from '../states.ts'

/**
 * Throws `order.replaced_units_refunded` when the gateway or a bank has refunded, or is refunding, the price of units
 * of an order that a replacement sends again. The store itself refunds such units only with an override.
 */
export async function assertReplacedUnitsPaid(tx: StoreTx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  const byOthers = await Refund.in(tx)
    .where('order_id', orderId)
    .whereIn('origin', ['gateway', 'dispute'])
    .whereIn('status', ['succeeded', ...IN_PROGRESS_STATUSES])
    .whereRaw('amount_minor > surplus_minor + excess_minor')
    .first()
  if (!byOthers) return
  // Refunds of other units may have been rounded up.
  const missingMinor = withoutRounding(-goodsLeftMinor(await loadRefundableOrder(tx, order)), order)
  if (missingMinor > 0n) throw RefundErrors.replacedUnitsRefunded()
}
