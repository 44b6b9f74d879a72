import { unshipUnits } from '#shared/inventory/ship-units.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import { ShipmentErrors } from '#shared/orders/errors.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import { lockOrder, Order } from '#shared/orders/order.ts'
import {
  findOrderItems,
  type LineUnits,
  type OrderItem,
  recordShipped,
  toVariantUnits,
} from '#shared/orders/order-item.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import { findShipment, Shipment } from '#shared/orders/shipment.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** A function of returns. Orders may not import returns, so the caller passes it in. */
export interface ReturnsPort {
  /** Returns the returned units by order line id. */
  countReturned(tx: StoreTx, orderId: string): Promise<ReadonlyMap<string, number>>
}

/**
 * Deletes a shipment that did not take place, and allocates its units again. Throws `resource.not_found`. Throws
 * `shipment.not_deletable` once the whole order is shipped, or if a return has units of the shipment: the buyer would
 * get these twice.
 */
export async function deleteShipment(
  tx: StoreTx,
  { orderId, shipmentId }: { orderId: string; shipmentId: string },
  actor: OrderActor,
  returns: ReturnsPort,
): Promise<void> {
  const order = await lockOrder(tx, orderId)
  const { units } = await findShipment(tx, orderId, shipmentId)
  if (order.status !== 'processing') throw ShipmentErrors.notDeletable({ status: order.status })
  const lines = await findOrderItems(tx, orderId)
  assertNotReturned(lines, units, await returns.countReturned(tx, orderId))
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

/** Throws `shipment.not_deletable` if the order would have more returned than shipped units. */
function assertNotReturned(
  lines: readonly OrderItem[],
  units: readonly LineUnits[],
  returned: ReadonlyMap<string, number>,
): void {
  for (const { id, name, shippedQuantity } of lines) {
    const shipmentQuantity = units.find(({ orderItemId }) => orderItemId === id)?.quantity ?? 0
    if (shipmentQuantity > 0 && shippedQuantity - shipmentQuantity < (returned.get(id) ?? 0))
      throw ShipmentErrors.notDeletable({ name })
  }
}
