import { countAllocated } from '#shared/inventory/count-allocated.ts'
import { restockUnits } from '#shared/inventory/restock-units.ts'
import type { VariantUnits } from '#shared/inventory/variant-units.ts'
import { findOrderItems, type OrderItem, toVariantUnits } from '#shared/orders/order-item.ts'
import { unshippedUnits } from '#shared/orders/shipments/units-to-ship.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { RefundItem } from '../refund.ts'

/**
 * Puts refunded units of an order, which the caller has locked and which has recorded them, back on sale. Of the units that
 * did not ship, those that the order has allocated beyond what it still ships: when a bank returned an earlier refund, that
 * one has restocked them.
 */
export async function restockRefunded(
  tx: StoreTx,
  orderId: string,
  units: readonly RefundItem[],
): Promise<void> {
  const lines = await findOrderItems(tx, orderId)
  const allocated = await countAllocated(tx, orderId)
  const unshipped = units.map((unit) => ({ ...unit, quantity: unit.withdrawnQuantity }))
  const spare = toVariantUnits(lines, unshipped)
    .map((unit) => ({ ...unit, quantity: Math.min(unit.quantity, spareOf(unit, { lines, allocated })) }))
    .filter(({ quantity }) => quantity > 0)
  restockUnits(tx, orderId, spare)
  const shipped = units.map((unit) => ({ ...unit, quantity: unit.quantity - unit.withdrawnQuantity }))
  restockUnits(tx, orderId, toVariantUnits(lines, shipped), { onlyShipped: true })
}

function spareOf(
  { variantId }: VariantUnits,
  { lines, allocated }: { lines: readonly OrderItem[]; allocated: ReadonlyMap<string, number> },
): number {
  const own = lines.filter((line) => line.variantId === variantId)
  const toShip = own.reduce((total, line) => total + unshippedUnits(line), 0)
  return (allocated.get(variantId) ?? 0) - toShip
}
