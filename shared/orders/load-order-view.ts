import { readInPieces } from '#shared/platform/db/read-in-pieces.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findOrder, type Order } from './order.ts'
import { OrderItem } from './order-item.ts'
import { findShipments } from './shipment.ts'
import { type OrderView, viewOrder } from './view.ts'

/**
 * Returns the views of orders in the same sequence. One query loads the items of a usual page, two load all shipments.
 */
export async function loadOrderViews(tx: StoreTx, orders: Order[]): Promise<OrderView[]> {
  const ids = orders.map(({ id }) => id)
  const rows = await readInPieces(OrderItem.in(tx).whereIn('order_id', ids), ['orderId', 'position', 'id'])
  const items = Map.groupBy(rows, ({ orderId }) => orderId)
  const shipments = await findShipments(tx, ids)
  return orders.map((order) =>
    viewOrder(order, { items: items.get(order.id) ?? [], shipments: shipments.get(order.id) ?? [] }),
  )
}

/** Returns the view of an existing order. */
export async function loadOrderView(tx: StoreTx, orderId: string): Promise<OrderView> {
  const [view] = await loadOrderViews(tx, [await findOrder(tx, orderId)])
  return view as OrderView
}
