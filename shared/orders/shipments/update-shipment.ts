import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import { lockOrder, Order } from '#shared/orders/order.ts'
import { findShipment, Shipment, type ShipmentWithUnits } from '#shared/orders/shipment.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

export interface Tracking {
  carrier?: string | undefined
  trackingNumber?: string | undefined
  trackingUrl?: string | undefined
}

/** Changes the carrier and tracking of a shipment, in any status of its order. Throws `resource.not_found`. */
export async function updateShipment(
  tx: StoreTx,
  { orderId, shipmentId }: { orderId: string; shipmentId: string },
  tracking: Tracking,
): Promise<ShipmentWithUnits> {
  const order = await lockOrder(tx, orderId)
  const { shipment } = await findShipment(tx, orderId, shipmentId)
  await Shipment.in(tx)
    .findById(shipmentId)
    .patch({ ...tracking, updatedAt: nextUpdatedAt(shipment) })
  await Order.in(tx)
    .findById(orderId)
    .patch({ updatedAt: nextUpdatedAt(order) })
  await emitOrderEvents(tx, orderId, [orderUpdated])
  return findShipment(tx, orderId, shipmentId)
}
