import { deferMove } from '#shared/inventory/deferred-moves.ts'
import type { ShortVariant } from '#shared/inventory/move-units.ts'
import { reserveStock } from '#shared/inventory/reserve-stock.ts'
import { restockAtCommit } from '#shared/inventory/restock-at-commit.ts'
import { shipUnits } from '#shared/inventory/ship-units.ts'
import { transitionReservations } from '#shared/inventory/transition-reservations.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import { lockBuyerBeforeStock } from '#shared/orders/figures/customer-figures.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { findOrderItems, type LineUnits, type OrderItem, toVariantUnits } from '#shared/orders/order-item.ts'
import { type OrderStatus, STOCK_OF_STATUS } from '#shared/orders/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Reserves the stock of a new order right before the commit. A pending order holds its stock, a processing one
 * allocates it. With too little stock the commit fails with `checkout.insufficient_stock`.
 */
export function reserveOrderStock(
  tx: StoreTx,
  { id, status }: { id: string; status: 'pending' | 'processing' },
  items: OrderItem[],
): void {
  const lines = toStockLines(items)
  if (lines.length === 0) return
  const to = status === 'pending' ? 'held' : 'allocated'
  deferMove(tx, id, async () => assertNoneShort(items, await reserveStock(tx, id, to, lines)))
}

/**
 * Changes an order's reservations to what the new status requires (`STOCK_OF_STATUS`). Throws
 * `checkout.insufficient_stock`.
 */
export async function transitionOrderStock(
  tx: StoreTx,
  order: LockedOrder,
  status: OrderStatus,
): Promise<void> {
  const { id } = order
  const lockFirst = () => lockBuyerBeforeStock(tx, order)
  const short = await transitionReservations(tx, id, STOCK_OF_STATUS[status], { lockFirst })
  if (short.length) assertNoneShort(await findOrderItems(tx, id), short)
}

/** Puts the shipped units of an order back on hand. A repeat changes nothing. */
export async function restockOrder(tx: StoreTx, { id }: LockedOrder): Promise<void> {
  restockAtCommit(tx, id, toStockLines(await findOrderItems(tx, id)))
}

/** Takes shipped units of an order out of stock. Throws `checkout.insufficient_stock`. */
export async function takeShippedUnits(
  tx: StoreTx,
  { id }: LockedOrder,
  items: OrderItem[],
  units: readonly LineUnits[],
): Promise<void> {
  assertNoneShort(items, await shipUnits(tx, id, toVariantUnits(items, units)))
}

const toStockLines = (items: OrderItem[]) =>
  toVariantUnits(
    items,
    items.map(({ id, quantity }) => ({ orderItemId: id, quantity })),
  )

/** Throws `checkout.insufficient_stock`, which names the lines, if a variant is short. */
function assertNoneShort(items: OrderItem[], short: ShortVariant[]): void {
  if (short.length === 0) return
  const available = new Map(short.map((variant) => [variant.variantId, variant.available]))
  const lines = items.flatMap(({ name, sku, quantity, variantId }) => {
    const units = available.get(variantId ?? '')
    return units === undefined ? [] : [{ name, sku, quantity, available: units }]
  })
  throw StockErrors.insufficientStock({ lines })
}
