import type { PartialModelObject } from 'objection'
import { giveCouponBack, takeCouponAgain } from '../coupons/move-use.ts'
import { changedAt } from '../platform/entity-tag.ts'
import type { EventKind } from '../platform/events.ts'
import { assertMayBecome } from '../platform/states.ts'
import type { StoreTx } from '../platform/store-scope.ts'
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

/** Orders that stand have used their coupon: one that fails or is canceled gives it back, and takes it again to stand again. */
const moveCoupon = (tx: StoreTx, orderId: string, to: OrderStatus): Promise<void> =>
  (to === 'failed' || to === 'canceled' ? giveCouponBack : takeCouponAgain)(tx, orderId)

/**
 * Takes an order, which the caller has locked, one step along its states: the row, its history, its events, its coupon.
 * The stock is moved by the caller, who knows what to do when it falls short.
 */
export async function moveOrder(
  tx: StoreTx,
  order: Order,
  { to, actor, note, set, events }: OrderStep,
): Promise<void> {
  assertMayBecome(ORDER_TRANSITIONS, order.status, to, OrderErrors.invalidTransition)
  const at = changedAt(order)
  const leaves = to === 'shipped' || to === 'complete'
  const changes = {
    ...set,
    status: to,
    updatedAt: at,
    ...(leaves ? { shippedAt: order.shippedAt ?? at } : {}),
  }
  await Order.in(tx).findById(order.id).patch(changes)
  if (order.couponCode !== null) await moveCoupon(tx, order.id, to)
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
