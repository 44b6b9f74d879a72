import { ShipmentErrors } from '#shared/orders/errors.ts'
import type { LineUnits, OrderItem } from '#shared/orders/order-item.ts'
import { invalid } from '#shared/platform/validation.ts'

/**
 * Returns the number of a line's units that are still to be shipped. It is 0 for a line without a variant, e.g. a gift
 * voucher. Refunded units whose shipment was deleted do not ship.
 */
export const unshippedUnits = ({
  variantId,
  quantity,
  shippedQuantity,
  withdrawnQuantity,
  refundedQuantity,
}: OrderItem): number =>
  variantId ? quantity - Math.max(refundedQuantity, shippedQuantity + withdrawnQuantity) : 0

/** Whether units of an order are still to be shipped. */
export const hasUnshipped = (lines: readonly OrderItem[]): boolean =>
  lines.some((line) => unshippedUnits(line) > 0)

/**
 * Returns the units of a shipment: the requested ones, by default all that are left. Throws
 * `shipment.quantity_exceeded`, `validation.failed` for a line of another order or one that is listed twice, and
 * `shipment.nothing_left`.
 */
export function unitsToShip(lines: readonly OrderItem[], requested?: readonly LineUnits[]): LineUnits[] {
  if (!hasUnshipped(lines)) throw ShipmentErrors.nothingLeft()
  if (requested) return requested.map((units, index) => checkUnits(lines, requested, units, index))
  return lines
    .map((line) => ({ orderItemId: line.id, quantity: unshippedUnits(line) }))
    .filter(({ quantity }) => quantity > 0)
}

function checkUnits(
  lines: readonly OrderItem[],
  requested: readonly LineUnits[],
  { orderItemId, quantity }: LineUnits,
  index: number,
): LineUnits {
  const at = ['items', index, 'order_item_id']
  const line = lines.find(({ id }) => id === orderItemId)
  if (!line) throw invalid(at, 'This order has no such line. Use the id of one of its items', orderItemId)
  if (requested.findIndex((other) => other.orderItemId === orderItemId) < index)
    throw invalid(at, 'List each line once, with all of its units', orderItemId)
  const left = unshippedUnits(line)
  if (quantity > left) throw ShipmentErrors.quantityExceeded({ name: line.name, left })
  return { orderItemId, quantity }
}
