import type { LockedOrder } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import type { RequestedItem } from '#shared/returns/return-item.ts'
import { VOID_RETURN_STATUSES } from '#shared/returns/states.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'

/**
 * Throws 422: `return.quantity_exceeded` if an order has fewer returnable units than requested, and `validation.failed`
 * for a line of another order or a repeated line. `exceptReturnId` is the return that is being updated.
 */
export async function assertReturnable(
  tx: StoreTx,
  order: LockedOrder,
  items: readonly RequestedItem[],
  exceptReturnId: string | null = null,
): Promise<void> {
  const lines = await OrderItem.in(tx).where('order_id', order.id)
  const returned = await countReturned(tx, order.id, exceptReturnId)
  const vouchers = await findVoucherLines(tx, lines)
  for (const [index, { orderItemId, quantity }] of items.entries()) {
    const at = ['items', index, 'order_item_id']
    const line = lines.find(({ id }) => id === orderItemId)
    if (!line) throw invalid(at, 'This order has no such line. Use the id of one of its items', orderItemId)
    if (items.findIndex((item) => item.orderItemId === orderItemId) < index)
      throw invalid(at, 'List each line once, with all of its units', orderItemId)
    const left = vouchers.has(line.id) ? 0 : line.shippedQuantity - (returned.get(line.id) ?? 0)
    if (quantity > left) throw ReturnErrors.quantityExceeded({ name: line.name, left })
  }
}

/** The units on returns that are neither rejected nor canceled, by the id of the order's line. */
type ReturnedUnits = ReadonlyMap<string, number>

/**
 * Counts the units of an order that are on its returns. Lock the order before you decide by the count. `exceptReturnId`
 * is the return that is being updated.
 */
export async function countReturned(
  tx: StoreTx,
  orderId: string,
  exceptReturnId: string | null = null,
): Promise<ReturnedUnits> {
  const query = tx
    .knex('return_items as i')
    .join('returns as r', (on) => on.on('r.store_id', 'i.store_id').on('r.id', 'i.return_id'))
    .where({ 'r.store_id': tx.storeId, 'r.order_id': orderId })
    .whereNotIn('r.status', [...VOID_RETURN_STATUSES])
    .groupBy('i.order_item_id')
    .select('i.order_item_id as orderItemId')
    .sum('i.quantity as units')
  if (exceptReturnId) query.whereNot('r.id', exceptReturnId)
  const rows = await query
  return new Map(rows.map(({ orderItemId, units }) => [orderItemId, Number(units)]))
}

/** Returns the ids of lines that bought gift vouchers. Vouchers cannot be returned. */
export async function findVoucherLines(
  tx: StoreTx,
  lines: readonly OrderItem[],
): Promise<ReadonlySet<string>> {
  const vouchers = await Voucher.in(tx).whereIn(
    'order_item_id',
    lines.map(({ id }) => id),
  )
  return new Set(vouchers.flatMap(({ orderItemId }) => orderItemId ?? []))
}
