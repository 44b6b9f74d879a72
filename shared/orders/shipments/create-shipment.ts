import type { OrderActor } from '#shared/orders/actor.ts'
import { OrderErrors, ShipmentErrors } from '#shared/orders/errors.ts'
import { emitOrderEvents, emitShipment, orderUpdated } from '#shared/orders/events.ts'
import { transitionOrder } from '#shared/orders/lifecycle/transition-order.ts'
import { type LockedOrder, lockOrder, Order } from '#shared/orders/order.ts'
import { findOrderItems, type LineUnits, recordShipped } from '#shared/orders/order-item.ts'
import { addHistoryNote, assertHistoryLeft } from '#shared/orders/order-step.ts'
import { Shipment, type ShipmentWithUnits } from '#shared/orders/shipment.ts'
import { assertStockToShip } from '#shared/orders/stock/order-shortage.ts'
import { takeShippedUnits, transitionOrderStock } from '#shared/orders/stock/order-stock.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { hasUnshipped, unitsToShip } from './units-to-ship.ts'

export interface NewShipment {
  /** Default: all units that are left. */
  items?: LineUnits[] | undefined
  carrier?: string | undefined
  trackingNumber?: string | undefined
  trackingUrl?: string | undefined
  /** Ship even if not all units are on hand. */
  override?: boolean | undefined
  note?: string | null | undefined
  /** Mail the buyer. Default: true. */
  notify?: boolean | undefined
}

/** A check by domains that orders may not import. The caller passes it in. */
export interface ShippingPort {
  /** Throws while a refund in progress or an open dispute forbids the shipment. */
  assertMayShip(tx: StoreTx, order: LockedOrder): Promise<void>
}

/**
 * Ships units of a processing order. The shipment of the last units makes the order `shipped`. Throws
 * `resource.not_found`, `order.invalid_transition`, `order.stock_short`, `checkout.insufficient_stock`,
 * `order.history_limit_reached`, `shipment.nothing_left`, `shipment.limit_reached`, `shipment.quantity_exceeded` and
 * `validation.failed`, and the errors of `shipping.assertMayShip`.
 */
export async function createShipment(
  tx: StoreTx,
  orderId: string,
  { items: requested, override = false, note = null, ...details }: NewShipment,
  actor: OrderActor,
  shipping: ShippingPort,
): Promise<ShipmentWithUnits> {
  // Lock first: the second of two concurrent shipments must see which units the first one leaves.
  const order = await lockOrder(tx, orderId)
  if (order.status !== 'processing')
    throw OrderErrors.invalidTransition({ from: order.status, to: 'shipped' })
  await shipping.assertMayShip(tx, order)
  const lines = await findOrderItems(tx, orderId)
  const units = unitsToShip(lines, requested)
  const shortNote = await assertStockToShip(tx, order, { override, units })

  const shipment = await insertShipment(tx, order, { ...details, units }, actor)
  const linesAfter = await recordShipped(tx, lines, units)
  if (hasUnshipped(linesAfter)) {
    await assertShipmentsLeft(tx, orderId)
    await assertHistoryLeft(tx, orderId)
  }
  await takeShippedUnits(tx, order, lines, units)
  const texts = [note, shortNote].filter((text) => text !== null)
  const entry = { shipmentId: shipment.id, note: texts.join(' ') || null }
  await (hasUnshipped(linesAfter)
    ? recordPartialShipment(tx, order, entry, actor)
    : finish(tx, order, entry.note, actor))
  await emitShipment(tx, orderId, { shipment, units })
  return { shipment, units }
}

// An order is read and mailed with all of its shipments. With thousands, each change of it would block other requests.
const MAX_SHIPMENTS = 200

/** Throws `shipment.limit_reached` if the order may have no further shipment. The order is locked. */
async function assertShipmentsLeft(tx: StoreTx, orderId: string): Promise<void> {
  const shipments = await Shipment.in(tx).where('order_id', orderId).resultSize()
  if (shipments >= MAX_SHIPMENTS) throw ShipmentErrors.limitReached({ limit: MAX_SHIPMENTS })
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
    orderId: order.id,
    carrier,
    trackingNumber,
    trackingUrl,
    isNotified: notify,
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

async function recordPartialShipment(
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

/** Makes the order `shipped`. Refunded units without a restock leave the stock, as in any shipped order. */
async function finish(
  tx: StoreTx,
  order: LockedOrder,
  note: string | null,
  actor: OrderActor,
): Promise<void> {
  await transitionOrderStock(tx, order, 'shipped')
  await transitionOrder(tx, order, { to: 'shipped', actor, note })
}
