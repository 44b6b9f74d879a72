import type { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'
import { countReturned } from './count-returned.ts'
import { ReturnErrors } from './errors.ts'
import { findVoucherLines } from './find-voucher-lines.ts'
import type { ReturnItem } from './return-item.ts'

/** Units of an order's line that are to come back. */
export type AskedItem = Pick<ReturnItem, 'orderItemId' | 'quantity' | 'reason' | 'condition' | 'note'>

/**
 * Throws 422 `return.quantity_exceeded` when an order, which the caller has locked, has fewer units left than are
 * asked for, and `validation.failed` for a line that is not the order's or is named twice. `exceptReturnId` is the
 * return that is being changed.
 */
export async function assertReturnable(
  tx: StoreTx,
  order: Order,
  items: readonly AskedItem[],
  exceptReturnId: string | null = null,
): Promise<void> {
  const lines = await OrderItem.in(tx).where('order_id', order.id)
  const returned = await countReturned(tx, order.id, exceptReturnId)
  const vouchers = await findVoucherLines(tx, lines)
  for (const [index, { orderItemId, quantity }] of items.entries()) {
    const at = ['items', index, 'order_item_id']
    const line = lines.find(({ id }) => id === orderItemId)
    if (!line) throw invalid(at, 'This order has no such line', orderItemId)
    if (items.findIndex((item) => item.orderItemId === orderItemId) < index)
      throw invalid(at, 'This line is named twice', orderItemId)
    const left = vouchers.has(line.id) ? 0 : line.quantity - (returned.get(line.id) ?? 0)
    if (quantity > left) throw ReturnErrors.quantityExceeded({ name: line.name, left })
  }
}
