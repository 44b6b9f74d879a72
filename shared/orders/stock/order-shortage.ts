import { findShortages, lockReservedVariants } from '#shared/inventory/shortages.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { describeMissing, type MissingUnits, OrderErrors } from '../errors.ts'
import type { LockedOrder } from '../order.ts'
import { findOrderItems, type LineUnits } from '../order-item.ts'

/** A line of an order whose units are not all on hand. */
export interface OrderShortage extends MissingUnits {
  orderItemId: string
  variantId: string
}

/** The lines of an order that its stock does not cover. Older orders get the units on hand first. */
export async function findOrderShortages(tx: StoreTx, orderId: string): Promise<OrderShortage[]> {
  const shortages = new Map(
    (await findShortages(tx, orderId)).map((shortage) => [shortage.variantId, shortage]),
  )
  if (shortages.size === 0) return []
  const items = await findOrderItems(tx, orderId)
  return items.flatMap(({ id: orderItemId, sku, name, variantId }) => {
    const shortage = shortages.get(variantId ?? '')
    return shortage ? [{ orderItemId, sku, name, ...shortage }] : []
  })
}

/**
 * Locks the stock that an order is to ship. Throws `order.stock_short` with the lines that are not on hand. `units`
 * limits it to a part of the order. With `override` they ship all the same: returns a note that names them, null when
 * there are none.
 */
export async function assertStockToShip(
  tx: StoreTx,
  { id }: LockedOrder,
  { override, units }: { override: boolean; units?: readonly LineUnits[] },
): Promise<string | null> {
  await lockReservedVariants(tx, id)
  const shortages = await findOrderShortages(tx, id)
  const lines = shortages.filter((line) => isMissingIn(line, shortages, units))
  if (lines.length === 0) return null
  if (!override) throw OrderErrors.stockShort({ lines })
  return `Shipped without enough units on hand. ${lines.map(describeMissing).join(' ')}`
}

/**
 * Whether the units on hand do not cover what ships of the variant of a line, of which other lines may ship too;
 * without `units` all of it ships.
 */
function isMissingIn(
  { variantId, quantity, short }: OrderShortage,
  shortages: readonly OrderShortage[],
  units: readonly LineUnits[] | undefined,
): boolean {
  const ofVariant = shortages.filter((line) => line.variantId === variantId).map((line) => line.orderItemId)
  const shipped = (units ?? [])
    .filter((unit) => ofVariant.includes(unit.orderItemId))
    .reduce((sum, unit) => sum + unit.quantity, 0)
  return (units ? shipped : quantity) > quantity - short
}
