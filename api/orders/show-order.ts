import { type Reply, reply } from '#api/platform/output/reply.ts'
import { Order } from '#shared/orders/order.ts'
import { loadOrderView } from '#shared/orders/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'

/** Answers with an order as it is now, and its `ETag`. */
export async function showOrder(tx: StoreTx, orderId: string, status = 200): Promise<Reply> {
  const order = await Order.in(tx).findById(orderId).throwIfNotFound()
  return reply(status, await loadOrderView(tx, orderId), { ETag: entityTag(order) })
}
