import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { OrderActor } from '../actor.ts'
import { OrderErrors } from '../errors.ts'
import { emitOrderEvents, emitShipment, orderUpdated } from '../events.ts'
import { type LockedOrder, lockOrder, Order } from '../order.ts'
import { addHistoryNote } from '../order-history.ts'
import { findOrderItems, type LineUnits, recordShipped } from '../order-item.ts'
import { Shipment, type ShipmentWithUnits } from '../shipment.ts'
import { transitionOrder } from '../status/transition-order.ts'
import { assertStockToShip } from '../stock/order-shortage.ts'
import { shipLines, transitionOrderStock } from '../stock/order-stock.ts'
import { hasUnshipped, unitsToShip } from './units-to-ship.ts'

export interface NewShipment {
  /** Default: all units that are left. */
  items?: LineUnits[] | undefined
  carrier?: string | undefined
  trackingNumber?: string | undefined
  trackingUrl?: string | undefined
  /** It ships although not all of its units are on hand. */
  override?: boolean | undefined
  note?: string | null | undefined
  /** Mail the buyer. Default: true. */
  notify?: boolean | undefined
}

/** The check that a shipment needs of domains that orders may not import, so the caller passes it in. */
export interface ShippingPort {
  /** Throws while a refund or an open dispute holds the shipment. */
  assertMayShip(tx: StoreTx, order: LockedOrder): Promise<void>
}

/**
 * Ships units of a processing order. The shipment of the last ones makes the order `shipped`. Throws 404, 409
 * `order.invalid_transition`, `order.stock_short`, `checkout.insufficient_stock` and `shipment.nothing_left`, 422
 * `shipment.quantity_exceeded` and `validation.failed`, and the errors of `port.assertMayShip`.
 */
export async function createShipment(
  tx: StoreTx,
  orderId: string,
  { items: requested, override = false, note = null, ...tracking }: NewShipment,
  actor: OrderActor,
  port: ShippingPort,
): Promise<ShipmentWithUnits> {
  // Lock first: of two shipments at once, the second must see what the first one leaves.
  const order = await lockOrder(tx, orderId)
  if (order.status !== 'processing')
    throw OrderErrors.invalidTransition({ from: order.status, to: 'shipped' })
  await port.assertMayShip(tx, order)
  const lines = await findOrderItems(tx, orderId)
  const units = unitsToShip(lines, requested)
  const shortNote = await assertStockToShip(tx, order, { override, units })

  const shipment = await insertShipment(tx, order, { ...tracking, units }, actor)
  const shipped = await recordShipped(tx, lines, units)
  await shipLines(tx, order, lines, units)
  const text = [note, shortNote].filter((part) => part !== null).join(' ') || null
  const part = { shipmentId: shipment.id, note: text }
  await (hasUnshipped(shipped) ? recordPart(tx, order, part, actor) : finish(tx, order, text, actor))
  await emitShipment(tx, orderId, { shipment, units })
  return { shipment, units }
}

async function insertShipment(
  tx: StoreTx,
  order: LockedOrder,
  {
    carrier = '',
    trackingNumber = '',
    trackingUrl = '',
    notify = true,
    units,
  }: NewShipment & { units: LineUnits[] },
  actor: OrderActor,
): Promise<Shipment> {
  const at = now()
  const shipment = await Shipment.in(tx).insert({
    ...{ orderId: order.id, carrier, trackingNumber, trackingUrl, isNotified: notify },
    createdBy: actor,
    createdAt: at,
    updatedAt: at,
  })
  await tx.knex('shipment_items').insert(
    units.map(({ orderItemId, quantity }) => ({
      store_id: tx.storeId,
      shipment_id: shipment.id,
      order_item_id: orderItemId,
      quantity,
    })),
  )
  return shipment
}

async function recordPart(
  tx: StoreTx,
  order: LockedOrder,
  { shipmentId, note }: { shipmentId: string; note: string | null },
  actor: OrderActor,
): Promise<void> {
  await Order.in(tx)
    .findById(order.id)
    .patch({ updatedAt: nextUpdatedAt(order) })
  const text = ['Shipped in part.', ...(note ? [note] : [])].join(' ')
  await addHistoryNote(tx, order, text, actor, { shipmentId })
  await emitOrderEvents(tx, order.id, [orderUpdated])
}

/** Units that were refunded without a restock are no longer the store's, as with any shipped order. */
async function finish(
  tx: StoreTx,
  order: LockedOrder,
  note: string | null,
  actor: OrderActor,
): Promise<void> {
  await transitionOrderStock(tx, order, 'shipped')
  await transitionOrder(tx, order, { to: 'shipped', actor, note })
}
