import type { PartialModelObject } from 'objection'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { EventKind } from '#shared/platform/events/events.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { assertTransition } from '#shared/platform/states.ts'
import type { Actor } from './actor.ts'
import { OrderErrors } from './errors.ts'
import { EVENT_OF_STATUS, emitOrderEvents, orderUpdated } from './events.ts'
import { Order } from './order.ts'
import { OrderHistory } from './order-history.ts'
import { ORDER_TRANSITIONS, type OrderStatus } from './states.ts'

export interface OrderStep {
  to: OrderStatus
  actor: Actor
  note?: string | null
  /** What else changes with the status. */
  set?: PartialModelObject<Order>
  /** What is told besides `order.updated` and the new status's own event. */
  events?: EventKind[]
}

/**
 * Takes an order, which the caller has locked, one step along its states: the row, its history, its events. What it
 * holds is the caller's to move (`takeAgain`, `letGo`), who knows what to do when it cannot be had.
 */
export async function moveOrder(
  tx: StoreTx,
  order: Order,
  { to, actor, note, set, events }: OrderStep,
): Promise<void> {
  assertTransition(ORDER_TRANSITIONS, order.status, to, OrderErrors.invalidTransition)
  const at = nextUpdatedAt(order)
  const leaves = to === 'shipped' || to === 'complete'
  const changes = {
    ...set,
    status: to,
    updatedAt: at,
    ...(leaves ? { shippedAt: order.shippedAt ?? at } : {}),
  }
  await Order.in(tx).findById(order.id).patch(changes)
  await OrderHistory.in(tx).insert({
    orderId: order.id,
    fromStatus: order.status,
    toStatus: to,
    actor,
    note: note ?? null,
    createdAt: at,
  })
  const own = EVENT_OF_STATUS[to]
  await emitOrderEvents(tx, order.id, [...(events ?? []), ...(own ? [own] : []), orderUpdated])
}
