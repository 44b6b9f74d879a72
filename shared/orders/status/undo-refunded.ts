import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emitOrderEvents, orderUpdated } from '../events.ts'
import { recountCustomer } from '../figures/customer-figures.ts'
import { type LockedOrder, Order } from '../order.ts'
import { OrderHistory } from '../order-history.ts'
import { type OrderStatus, SENDS_GOODS } from '../states.ts'

/**
 * Takes back the status `refunded` of an order because the bank has revised a dispute that the gateway booked: an order
 * whose goods were sent is shipped or complete as before, and owes its buyer nothing. One that was not sent stays
 * `refunded`: its stock is free for others, and the money is owed to the buyer.
 */
export async function undoRefunded(tx: StoreTx, order: LockedOrder): Promise<void> {
  if (order.status !== 'refunded' || !order.isRefundOwed) return
  const before = await findStatusBefore(tx, order.id)
  if (!before || !SENDS_GOODS.has(before)) return
  const at = nextUpdatedAt(order)
  await Order.in(tx).findById(order.id).patch({ status: before, updatedAt: at })
  recountCustomer(tx, order.customerId)
  await OrderHistory.in(tx).insert({
    orderId: order.id,
    fromStatus: 'refunded',
    toStatus: before,
    actor: 'gateway',
    note: 'The bank has revised its decision: the money is not refunded any more',
    createdAt: at,
  })
  await emitOrderEvents(tx, order.id, [orderUpdated])
}

/** The status from which the gateway or a bank made an order `refunded`; undefined when the store has refunded it. */
async function findStatusBefore(tx: StoreTx, orderId: string): Promise<OrderStatus | null | undefined> {
  const step = await OrderHistory.in(tx)
    .where({ order_id: orderId, to_status: 'refunded' })
    .whereNot('from_status', 'refunded')
    .orderBy('id', 'desc')
    .first()
  return step?.actor === 'gateway' ? step.fromStatus : undefined
}
