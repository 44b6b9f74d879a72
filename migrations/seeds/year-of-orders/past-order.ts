import type { ReservationStatus } from '#shared/inventory/states.ts'
import type { MovementReason } from '#shared/inventory/stock-movement.ts'
import { customerActor, type OrderActor } from '#shared/orders/actor.ts'
import { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import type { NoteSubject } from '#shared/orders/order-step.ts'
import type { OrderDetails, OrderLine } from '#shared/orders/place/place-order.ts'
import type { OrderStatus } from '#shared/orders/states.ts'
import { idAt } from '#shared/platform/db/id.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import type { Chance } from './chance.ts'
import type { Rows } from './write-rows.ts'

/** The year of a store that is written. */
export interface Year {
  rows: Rows
  chance: Chance
  /** The end of the year: nothing happens later. */
  until: Date
  /** The author of what staff do. */
  staff: OrderActor
}

/** An order of the past. Its changes are those of the order verbs, without events, jobs and mails. */
export interface PastOrder {
  year: Year
  order: Order
  /** Its lines. Each has another variant. */
  items: OrderItem[]
  /** The time of its last change. */
  at: Date
  /** The reserved units of each variant by status. */
  reserved: Map<string, Map<ReservationStatus, number>>
  couponUse: { releasedAt: Date | null } | null
}

export const newIdAt = ({ chance }: Year, at: Date): string => idAt(at, chance.bytes(16))

/** Advances the time of the last change by about so many hours, within the year. */
export function wait(past: PastOrder, hours: number): void {
  const { until, chance } = past.year
  const left = (until.getTime() - past.at.getTime()) * 0.9
  const ms = Math.min(hours * HOUR_MS, left) * (0.4 + 0.6 * chance.next())
  past.at = new Date(past.at.getTime() + Math.max(1, Math.floor(ms)))
}

/** Places an order with its stock: held while it awaits its payment, else allocated. */
export function placePastOrder(
  year: Year,
  at: Date,
  {
    status,
    number,
    facts,
    lines,
  }: {
    status: 'pending' | 'processing'
    number: string
    facts: Omit<OrderDetails, 'expiresAt'>
    lines: OrderLine[]
  },
): PastOrder {
  const { storeId } = year.rows
  const order = Object.assign(
    new Order(),
    { metadata: {}, taxes: [], roundingMinor: 0n },
    facts,
    { storeId, id: newIdAt(year, at), number, status },
    { accessTokenHashes: [], amountCapturedMinor: 0n, amountRefundedMinor: 0n, createdAt: at, updatedAt: at },
    { paidAt: null, shippedAt: null, holdUntil: null, expiresAt: null },
  )
  const items = lines.map((line, position) =>
    Object.assign(new OrderItem(), line, {
      storeId,
      id: newIdAt(year, at),
      orderId: order.id,
      position,
      replacesItemId: null,
      refundedQuantity: 0,
      shippedQuantity: 0,
      withdrawnQuantity: 0,
    }),
  )
  year.rows.add('orders', order)
  for (const item of items) year.rows.add('order_items', item)
  const past: PastOrder = { year, order, items, at, reserved: new Map(), couponUse: null }
  addHistory(past, { from: null, to: status, actor: customerActor(order.customerId) })
  const reservation = status === 'pending' ? 'held' : 'allocated'
  for (const { variantId, quantity } of items)
    if (variantId) past.reserved.set(variantId, new Map([[reservation, quantity]]))
  return past
}

interface Step extends NoteSubject {
  from: OrderStatus | null
  to: OrderStatus
  actor: OrderActor
  note?: string | null
}

function addHistory(past: PastOrder, { from, to, actor, note = null, ...subject }: Step): void {
  const { year, order, at } = past
  year.rows.add('order_steps', {
    id: newIdAt(year, at),
    orderId: order.id,
    fromStatus: from,
    toStatus: to,
    actor,
    note,
    shipmentId: null,
    returnId: null,
    ...subject,
    createdAt: at,
  })
  order.updatedAt = at
}

export function transition(
  past: PastOrder,
  to: OrderStatus,
  actor: OrderActor,
  note: string | null = null,
): void {
  addHistory(past, { from: past.order.status, to, actor, note })
  past.order.status = to
}

/** Adds a note to the history. The status stays. */
export const note = (past: PastOrder, text: string, actor: OrderActor, subject: NoteSubject = {}): void =>
  addHistory(past, { from: past.order.status, to: past.order.status, actor, note: text, ...subject })

/** Moves units of a variant between the statuses of their reservation. Units that leave or come back are movements. */
export function moveUnits(
  { year, order, at, reserved }: PastOrder,
  variantId: string,
  { from, to, quantity }: { from: ReservationStatus; to: ReservationStatus; quantity: number },
): void {
  const units = reserved.get(variantId)
  const moved = Math.min(quantity, units?.get(from) ?? 0)
  if (!units || moved === 0) return
  units.set(from, (units.get(from) ?? 0) - moved)
  units.set(to, (units.get(to) ?? 0) + moved)
  const isShipment = to === 'shipped'
  if (!isShipment && from !== 'shipped') return
  const reason: MovementReason = isShipment ? 'shipment' : 'return'
  year.rows.add('stock_movements', {
    id: newIdAt(year, at),
    variantId,
    delta: isShipment ? -moved : moved,
    reason,
    reference: order.id,
    note: null,
    createdAt: at,
  })
}

/** Moves all units of an order between two statuses. */
export function moveAll(past: PastOrder, from: ReservationStatus, to: ReservationStatus): void {
  for (const [variantId, units] of past.reserved)
    moveUnits(past, variantId, { from, to, quantity: units.get(from) ?? 0 })
}

/** Releases the stock and the coupon of an order that ends unpaid. */
export function release(past: PastOrder): void {
  moveAll(past, 'held', 'released')
  moveAll(past, 'allocated', 'released')
  if (past.couponUse) past.couponUse.releasedAt = past.at
}
