import { customerActor, type OrderActor } from '#shared/orders/actor.ts'
import type { LineUnits } from '#shared/orders/order-item.ts'
import { hasUnshipped, unitsToShip } from '#shared/orders/shipments/units-to-ship.ts'
import { moveAll, moveUnits, newIdAt, note, type PastOrder, release, transition } from './past-order.ts'

const CARRIERS = [
  { carrier: 'DHL', trackingUrl: 'https://tracking.dhl.example/' },
  { carrier: 'PostNord', trackingUrl: 'https://tracking.postnord.example/' },
]

/** Pays an order outside the gateway, like `insertOfflinePayment`. One that awaits its payment becomes processing. */
export function pay(past: PastOrder, actor: OrderActor): void {
  const { year, order, at } = past
  const { id: orderId, currency, dueMinor } = order
  const provider = order.paymentMethod === 'sandbox' ? 'sandbox' : 'offline'
  year.rows.add('payments', {
    id: newIdAt(year, at),
    orderId,
    provider,
    status: 'captured',
    amountMinor: dueMinor,
    currency,
    capturedMinor: dueMinor,
    capturedCurrency: currency,
    capturedAt: at,
    failureReason: null,
    recordedBy: actor,
    createdAt: at,
    updatedAt: at,
  })
  order.amountCapturedMinor = dueMinor
  order.paidAt = at
  order.updatedAt = at
  if (!order.awaitsPayment) return
  moveAll(past, 'held', 'allocated')
  transition(past, 'processing', actor)
}

/** Ships units of an order, by default all that are left. When none is left, the order is `shipped`. */
export function ship(past: PastOrder, requested?: readonly LineUnits[]): void {
  const { year, order, items, at } = past
  const units = unitsToShip(items, requested)
  const { carrier, trackingUrl } = year.chance.pick(CARRIERS)
  const trackingNumber = `${carrier.toUpperCase()}${1_000_000 + year.chance.below(9_000_000)}`
  const shipmentId = newIdAt(year, at)
  year.rows.add('shipments', {
    id: shipmentId,
    orderId: order.id,
    carrier,
    trackingNumber,
    trackingUrl: trackingUrl + trackingNumber,
    isNotified: false,
    createdBy: year.staff,
    createdAt: at,
    updatedAt: at,
  })
  for (const { orderItemId, quantity } of units) {
    year.rows.add('shipment_items', { shipmentId, orderItemId, quantity })
    const line = items.find(({ id }) => id === orderItemId)
    if (!line?.variantId) continue
    line.shippedQuantity += quantity
    moveUnits(past, line.variantId, { from: 'allocated', to: 'shipped', quantity })
  }
  if (hasUnshipped(items)) note(past, 'Shipped in part.', year.staff, { shipmentId })
  else {
    order.shippedAt = at
    transition(past, 'shipped', year.staff)
  }
}

/** Returns the units of the first line, for the first of two shipments. */
export const firstLine = ({ items: [first] }: PastOrder): LineUnits[] =>
  first ? [{ orderItemId: first.id, quantity: first.quantity }] : []

export const complete = (past: PastOrder): void => transition(past, 'complete', past.year.staff)

/** Cancels an unpaid order. The buyer of a shipped one did not accept it: its units are back in stock. */
export function cancel(past: PastOrder): void {
  const { order, year } = past
  const isShipped = order.status === 'shipped'
  release(past)
  if (isShipped) moveAll(past, 'shipped', 'released')
  transition(past, 'canceled', isShipped ? year.staff : customerActor(order.customerId))
}

/** Ends a card payment that the buyer never made, and fails its order. The gateway does not know the payment. */
export function expire(past: PastOrder): void {
  const { year, order, at } = past
  const { id: orderId, currency, dueMinor } = order
  year.rows.add('payments', {
    id: newIdAt(year, order.createdAt),
    orderId,
    provider: 'stripe',
    status: 'canceled',
    amountMinor: dueMinor,
    currency,
    capturedMinor: null,
    capturedCurrency: null,
    capturedAt: null,
    failureReason: null,
    recordedBy: null,
    createdAt: order.createdAt,
    updatedAt: at,
  })
  order.expiresAt = at
  release(past)
  transition(past, 'failed', 'system', 'It was not paid in its time.')
}
