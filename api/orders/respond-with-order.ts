import { type Reply, reply } from '#api/platform/output/reply.ts'
import { loadOrderViews } from '#shared/orders/load-order-view.ts'
import { findOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'

/** Responds with an order and its `ETag`. */
export async function respondWithOrder(tx: StoreTx, orderId: string, status = 200): Promise<Reply> {
  const order = await findOrder(tx, orderId)
  const [view] = await loadOrderViews(tx, [order])
  return reply(status, view, { ETag: entityTag(order) })
}
