import { unshipUnits } from '#shared/inventory/ship-units.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { OrderActor } from '../actor.ts'
import { ShipmentErrors } from '../errors.ts'
import { emitOrderEvents, orderUpdated } from '../events.ts'
import { lockOrder, Order } from '../order.ts'
import { addHistoryNote } from '../order-history.ts'
import {
  findOrderItems,
  type LineUnits,
  type OrderItem,
  recordShipped,
  toVariantUnits,
} from '../order-item.ts'
import { findShipment, Shipment, type ShipmentWithUnits } from '../shipment.ts'

export interface Tracking {
  carrier?: string | undefined
  trackingNumber?: string | undefined
  trackingUrl?: string | undefined
}

/** Changes the carrier and tracking of a shipment, in any status of its order. Throws 404. */
export async function changeShipment(
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

/** The units that returns hold, which orders may not import, so the caller passes it in. */
export interface ReturnsPort {
  /** Counts the units of an order that are on its returns, by the id of their line. */
  countReturned(tx: StoreTx, orderId: string): Promise<ReadonlyMap<string, number>>
}

/**
 * Deletes a shipment that did not take place: its units are allocated again. Throws 404, and 409
 * `shipment.not_deletable` once the whole order is shipped, and for units that are on a return: they would ship again
 * beside what it pays or sends.
 */
export async function deleteShipment(
  tx: StoreTx,
  { orderId, shipmentId }: { orderId: string; shipmentId: string },
  actor: OrderActor,
  port: ReturnsPort,
): Promise<void> {
  const order = await lockOrder(tx, orderId)
  const { units } = await findShipment(tx, orderId, shipmentId)
  if (order.status !== 'processing') throw ShipmentErrors.notDeletable({ status: order.status })
  const lines = await findOrderItems(tx, orderId)
  assertNotReturned(lines, units, await port.countReturned(tx, orderId))
  await Shipment.in(tx).findById(shipmentId).delete()
  await recordShipped(
    tx,
    lines,
    units.map((unit) => ({ ...unit, quantity: -unit.quantity })),
  )
  unshipUnits(tx, orderId, toVariantUnits(lines, units))
  await Order.in(tx)
    .findById(orderId)
    .patch({ updatedAt: nextUpdatedAt(order) })
  const text = 'A shipment was deleted: its units are allocated again'
  await addHistoryNote(tx, order, text, actor, { shipmentId })
  await emitOrderEvents(tx, orderId, [orderUpdated])
}

function assertNotReturned(
  lines: readonly OrderItem[],
  units: readonly LineUnits[],
  returned: ReadonlyMap<string, number>,
): void {
  for (const { id, name, shippedQuantity } of lines) {
    const deleted = units.find(({ orderItemId }) => orderItemId === id)?.quantity ?? 0
    if (deleted > 0 && shippedQuantity - deleted < (returned.get(id) ?? 0))
      throw ShipmentErrors.notDeletable({ name })
  }
}
