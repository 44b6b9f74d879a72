import { findShortages, lockReservedVariants } from '#shared/inventory/shortages.ts'
import { describeMissing, type MissingUnits, OrderErrors } from '#shared/orders/errors.ts'
import { lockBuyerBeforeStock } from '#shared/orders/figures/customer-figures.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { findOrderItems, type LineUnits } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** A line of an order whose units are not all on hand. */
export interface OrderShortage extends MissingUnits {
  orderItemId: string
  variantId: string
}

/** Returns the lines of an order whose units are not all on hand. Older orders get the units on hand first. */
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
 * Locks the stock that an order is to ship; `units` limits it to a part of the order. Throws `order.stock_short`, which
 * names the lines that are not all on hand. With `override` it does not throw, and returns a note that names these
 * lines; null if there are none.
 */
export async function assertStockToShip(
  tx: StoreTx,
  order: LockedOrder,
  { override, units }: { override: boolean; units?: readonly LineUnits[] },
): Promise<string | null> {
  await lockBuyerBeforeStock(tx, order)
  await lockReservedVariants(tx, order.id)
  const shortages = await findOrderShortages(tx, order.id)
  const counts = units && countByVariant(shortages, units)
  const lines = shortages.filter(({ variantId, quantity, short }) => {
    const onHand = quantity - short
    const toShip = counts ? (counts.get(variantId) ?? 0) : quantity
    return toShip > onHand
  })
  if (lines.length === 0) return null
  if (!override) throw OrderErrors.stockShort({ lines })
  return `Shipped without enough units on hand. ${lines.map(describeMissing).join(' ')}`
}

/** Returns the units of each variant that a shipment has. Several lines can ship the same variant. */
function countByVariant(
  shortages: readonly OrderShortage[],
  units: readonly LineUnits[],
): ReadonlyMap<string, number> {
  const variantOf = new Map(shortages.map(({ orderItemId, variantId }) => [orderItemId, variantId]))
  const counts = new Map<string, number>()
  for (const { orderItemId, quantity } of units) {
    const variantId = variantOf.get(orderItemId) ?? ''
    counts.set(variantId, (counts.get(variantId) ?? 0) + quantity)
  }
  return counts
}
