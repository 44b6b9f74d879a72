import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import { recountCustomer } from '#shared/orders/figures/customer-figures.ts'
import { type LockedOrder, Order } from '#shared/orders/order.ts'
import { OrderHistory } from '#shared/orders/order-history.ts'
import { type OrderStatus, RESTORED_BY_REVISION } from '#shared/orders/states.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Restores the status of an order that a dispute had made `refunded`, after the bank revised the dispute. An order
 * whose goods were sent is shipped or complete again, and its buyer is owed nothing. An order that was not sent stays
 * `refunded`: its stock is released, and its buyer is owed the money.
 */
export async function undoRefunded(tx: StoreTx, order: LockedOrder): Promise<void> {
  if (order.status !== 'refunded' || !order.isRefundOwed) return
  const before = await findStatusBefore(tx, order.id)
  if (!before || !RESTORED_BY_REVISION.has(before)) return
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

/** Returns the status before the gateway or a bank made the order `refunded`; undefined if the store refunded it. */
async function findStatusBefore(tx: StoreTx, orderId: string): Promise<OrderStatus | null | undefined> {
  const step = await OrderHistory.in(tx)
    .where({ order_id: orderId, to_status: 'refunded' })
    .whereNot('from_status', 'refunded')
    .orderBy('id', 'desc')
    .first()
  return step?.actor === 'gateway' ? step.fromStatus : undefined
}
