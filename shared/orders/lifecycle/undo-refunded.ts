import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { OrderStep } from '#shared/orders/order-step.ts'
import { type OrderStatus, REVISION_TRANSITIONS } from '#shared/orders/states.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { canTransition } from '#shared/platform/states.ts'
import { saveStatus } from './transition-order.ts'

/**
 * Restores the status of an order that a dispute had made `refunded`, after the bank revised the dispute. An order
 * whose goods were sent is shipped or complete again, and its buyer is owed nothing. An order that was not sent stays
 * `refunded`: its stock is released, and its buyer is owed the money.
 */
export async function undoRefunded(tx: StoreTx, order: LockedOrder): Promise<void> {
  if (order.status !== 'refunded' || !order.isRefundOwed) return
  const to = await findStatusBefore(tx, order.id)
  if (!to || !canTransition(REVISION_TRANSITIONS, order.status, to)) return
  const note = 'The bank has revised its decision: the money is not refunded any more'
  await saveStatus(tx, order, { to, actor: 'gateway', note })
  await emitOrderEvents(tx, order.id, [orderUpdated])
}

/** Returns the status before the gateway or a bank made the order `refunded`; undefined if the store refunded it. */
async function findStatusBefore(tx: StoreTx, orderId: string): Promise<OrderStatus | null | undefined> {
  const step = await OrderStep.in(tx)
    .where({ order_id: orderId, to_status: 'refunded' })
    .whereNot('from_status', 'refunded')
    .orderBy('id', 'desc')
    .first()
  return step?.actor === 'gateway' ? step.fromStatus : undefined
}
