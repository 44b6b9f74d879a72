import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Order } from './order.ts'

/** Reads an order and keeps others from changing it until the end of the transaction. Unknown: 404. */
export async function lockOrder(tx: StoreTx, orderId: string): Promise<Order> {
  const order = await Order.in(tx).findById(orderId).forNoKeyUpdate()
  if (!order) throw CommonErrors.notFound()
  return order
}
