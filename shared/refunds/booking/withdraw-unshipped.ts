import { findOrderItems } from '#shared/orders/order-item.ts'
import { unshippedUnits } from '#shared/orders/shipments/units-to-ship.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type Refund, RefundItem } from '#shared/refunds/refund.ts'

/**
 * Withdraws refunded units from the unshipped units of an order. The caller has locked the order. Unshipped units are
 * refunded first. Units of a return have all shipped. Returns the units with their `withdrawnQuantity`.
 */
export async function withdrawUnshipped(
  tx: StoreTx,
  refund: Refund,
  units: readonly RefundItem[],
): Promise<readonly RefundItem[]> {
  if (refund.isReturn || units.length === 0) return units
  const lines = await findOrderItems(tx, refund.orderId)
  const withdrawn: RefundItem[] = []
  for (const unit of units) {
    const line = lines.find(({ id }) => id === unit.orderItemId)
    const withdrawnQuantity = Math.min(unit.quantity, line ? unshippedUnits(line) : 0)
    if (withdrawnQuantity > 0) await RefundItem.in(tx).findById(unit.id).patch({ withdrawnQuantity })
    withdrawn.push(unit.with({ withdrawnQuantity }))
  }
  return withdrawn
}
