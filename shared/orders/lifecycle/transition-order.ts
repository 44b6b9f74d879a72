import type { OrderActor } from '#shared/orders/actor.ts'
import { OrderErrors } from '#shared/orders/errors.ts'
import { EVENT_OF_STATUS, emitOrderEvents, type OrderEventKind, orderUpdated } from '#shared/orders/events.ts'
import { recountCustomer } from '#shared/orders/figures/customer-figures.ts'
import { type LockedOrder, Order } from '#shared/orders/order.ts'
import { OrderStep } from '#shared/orders/order-step.ts'
import { ORDER_TRANSITIONS, type OrderStatus, SENDS_GOODS } from '#shared/orders/states.ts'
import type { PartialModelObject } from '#shared/platform/db/model.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'

export interface OrderTransition {
  to: OrderStatus
  actor: OrderActor
  note?: string | null
  /** Other columns that change with the status. */
  set?: PartialModelObject<Order>
  /** Events besides `order.updated` and the new status's own. */
  events?: OrderEventKind[]
}

/**
 * Changes the status of an order, with its history and events. The caller reserves or releases its resources first,
 * because only the caller knows what to do when they are gone. Returns the changed order. Throws
 * `order.invalid_transition`.
 */
export async function transitionOrder(
  tx: StoreTx,
  order: LockedOrder,
  { events = [], ...transition }: OrderTransition,
): Promise<LockedOrder> {
  const { to } = transition
  assertTransition(ORDER_TRANSITIONS, order.status, to, OrderErrors.invalidTransition)
  const changed = await saveStatus(tx, order, transition)
  const own = EVENT_OF_STATUS[to]
  await emitOrderEvents(tx, order.id, [...events, ...(own ? [own] : []), orderUpdated])
  return changed
}

/** Writes a status that the caller has checked, with its history. Returns the changed order. */
export async function saveStatus(
  tx: StoreTx,
  order: LockedOrder,
  { to, actor, note = null, set }: Omit<OrderTransition, 'events'>,
): Promise<LockedOrder> {
  const at = nextUpdatedAt(order)
  const changes = {
    ...set,
    status: to,
    updatedAt: at,
    ...(SENDS_GOODS.has(to) ? { shippedAt: order.shippedAt ?? at } : {}),
  }
  await Order.in(tx).findById(order.id).patch(changes)
  recountCustomer(tx, order.customerId)
  await OrderStep.in(tx).insert({
    orderId: order.id,
    fromStatus: order.status,
    toStatus: to,
    actor,
    note,
    createdAt: at,
  })
  return order.with(changes)
}
