import type { Static } from 'typebox'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineEvent, type EventKind, emit } from '#shared/platform/events/events.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { loadOrderView } from './load-order-view.ts'
import type { ShipmentWithUnits } from './shipment.ts'
import { ShipmentView, viewShipment } from './shipment-view.ts'
import type { OrderStatus } from './states.ts'
import { OrderView } from './view.ts'

/** A kind of event whose data is the order. */
export type OrderEventKind = EventKind<typeof OrderView>

const define = (type: string, summary: string) => defineEvent(`order.${type}`, 'sales', summary, OrderView)

export const orderCreated = define('created', 'An order was placed')
export const orderUpdated = define('updated', 'An order changed: its status, payments or shipments')
export const orderPaid = define('paid', 'An order was paid in full')
export const orderPaymentFailed = define(
  'payment_failed',
  'The payment of an order failed, or its time ran out',
)

/** The order, and the shipment of the event. */
const ShippedOrderView = Shape({ ...OrderView.properties, shipment: ShipmentView })
export type ShippedOrderView = Static<typeof ShippedOrderView>

export const orderShipmentCreated = defineEvent(
  'order.shipment_created',
  'sales',
  'Units of an order were handed over for shipping',
  ShippedOrderView,
)
const orderShipped = define('shipped', 'An order was handed over for shipping')
const orderCompleted = define('completed', 'An order was delivered')
export const orderCanceled = define('canceled', 'An order was canceled')

/** The event that a status emits besides `order.updated`. Payments and refunds emit their own events. */
export const EVENT_OF_STATUS: Partial<Record<OrderStatus, OrderEventKind>> = {
  shipped: orderShipped,
  complete: orderCompleted,
  canceled: orderCanceled,
}

/** Emits one event of each kind, with the present state of the order. */
export async function emitOrderEvents(tx: StoreTx, orderId: string, kinds: OrderEventKind[]): Promise<void> {
  const view = await loadOrderView(tx, orderId)
  for (const kind of kinds) await emit(tx, kind, view)
}

/** Emits `order.shipment_created` with the present state of the order. */
export async function emitShipment(tx: StoreTx, orderId: string, shipment: ShipmentWithUnits): Promise<void> {
  const view = await loadOrderView(tx, orderId)
  await emit(tx, orderShipmentCreated, { ...view, shipment: viewShipment(shipment) })
}
