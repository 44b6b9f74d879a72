import { Order } from '#shared/orders/order.ts'
import { loadOrderView } from '#shared/orders/view.ts'
import { entityTag } from '#shared/platform/entity-tag.ts'
import type { StoreTx } from '#shared/platform/store-scope.ts'
import { type Reply, reply } from '../platform/reply.ts'

/** Answers with an order as it is now, and its `ETag`. */
export async function showOrder(tx: StoreTx, orderId: string, status = 200): Promise<Reply> {
  const order = await Order.in(tx).findById(orderId).throwIfNotFound()
  return reply(status, await loadOrderView(tx, orderId), { ETag: entityTag(order) })
}
