import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Return } from './return.ts'

/** Whether the goods of a return are on their way anew, or there: an order that was canceled brings nothing. */
export async function isReplaced(tx: StoreTx, { replacementOrderId }: Return): Promise<boolean> {
  if (!replacementOrderId) return false
  const { status } = await Order.in(tx).findById(replacementOrderId).throwIfNotFound()
  return status !== 'canceled'
}
