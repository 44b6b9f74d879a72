import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { OrderItem } from './order-item.ts'

/** The ids of the orders whose units an order sends again: none, unless it is a replacement. */
export async function findReplacedOrderIds(tx: StoreTx, orderId: string): Promise<string[]> {
  const replaced = await OrderItem.in(tx)
    .whereIn(
      'id',
      OrderItem.in(tx).where('order_id', orderId).whereNotNull('replaces_item_id').select('replaces_item_id'),
    )
    .select('order_id')
  return [...new Set(replaced.map((item) => item.orderId))]
}
