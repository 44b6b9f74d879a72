import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { Actor } from './actor.ts'
import type { Order } from './order.ts'
import { OrderHistory } from './order-history.ts'

/** Keeps a remark in the history of an order whose status stays as it is. */
export async function noteOrder(tx: StoreTx, order: Order, note: string, actor: Actor): Promise<void> {
  const { id: orderId, status } = order
  await OrderHistory.in(tx).insert({
    orderId,
    fromStatus: status,
    toStatus: status,
    actor,
    note,
    createdAt: now(),
  })
}
