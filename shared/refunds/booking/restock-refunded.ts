import { countAllocated } from '#shared/inventory/count-allocated.ts'
import { restockAtCommit } from '#shared/inventory/restock-at-commit.ts'
import { findOrderItems, type LineUnits, type OrderItem, toVariantUnits } from '#shared/orders/order-item.ts'
import { unshippedUnits } from '#shared/orders/shipments/units-to-ship.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Refund, RefundItem } from '#shared/refunds/refund.ts'
import { FAILED_REFUND_STATUSES } from '#shared/refunds/states.ts'

/**
 * Puts refunded units of an order back in stock. The caller has locked the order and recorded the units. Unshipped
 * units go back if the order has allocated more units than it still ships. Shipped units go back only once: an earlier
 * refund that succeeded and then failed may have restocked them.
 */
export async function restockRefunded(
  tx: StoreTx,
  orderId: string,
  units: readonly RefundItem[],
): Promise<void> {
  const lines = await findOrderItems(tx, orderId)
  const allocated = await countAllocated(tx, orderId)
  const withdrawn = units.map((unit) => ({ ...unit, quantity: unit.withdrawnQuantity }))
  const unshipped = toVariantUnits(lines, withdrawn)
    .map(({ variantId, quantity }) => ({
      variantId,
      quantity: Math.min(quantity, countSpareUnits(variantId, lines, allocated)),
    }))
    .filter(({ quantity }) => quantity > 0)
  restockAtCommit(tx, orderId, unshipped)
  const shipped: LineUnits[] = []
  for (const unit of units)
    shipped.push({ orderItemId: unit.orderItemId, quantity: await recordRestocked(tx, unit) })
  restockAtCommit(tx, orderId, toVariantUnits(lines, shipped), { onlyShipped: true })
}

/**
 * Records that a refund restocks its shipped units. Returns the number of units that no failed refund has restocked
 * before.
 */
async function recordRestocked(
  tx: StoreTx,
  { id, orderItemId, quantity, withdrawnQuantity }: RefundItem,
): Promise<number> {
  const restockedQuantity = quantity - withdrawnQuantity
  const failed = Refund.in(tx).whereIn('status', FAILED_REFUND_STATUSES).select('id')
  const before = await RefundItem.in(tx)
    .where('order_item_id', orderItemId)
    .where('restocked_quantity', '>', 0)
    .whereIn('refund_id', failed)
    .orderBy('id')
  let left = restockedQuantity
  for (const item of before) {
    const taken = Math.min(left, item.restockedQuantity)
    left -= taken
    // Count the units on this refund, because this refund can fail after its success too.
    await RefundItem.in(tx)
      .findById(item.id)
      .patch({ restockedQuantity: item.restockedQuantity - taken })
  }
  await RefundItem.in(tx).findById(id).patch({ restockedQuantity })
  return left
}

/** Returns how many allocated units of a variant the order no longer ships. */
function countSpareUnits(
  variantId: string,
  lines: readonly OrderItem[],
  allocated: ReadonlyMap<string, number>,
): number {
  const own = lines.filter((line) => line.variantId === variantId)
  const toShip = own.reduce((total, line) => total + unshippedUnits(line), 0)
  return (allocated.get(variantId) ?? 0) - toShip
}
