import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { EventKind } from '#shared/platform/events/events.ts'
import { emitOrderEvents } from '../events.ts'
import { recountCustomer } from '../figures/customer-figures.ts'
import { type LockedOrder, Order } from '../order.ts'

/**
 * Sets the captured amount of an order. The status of the order stays as it is; `transitionOrder` sets the amount of a
 * payment that changes it.
 */
export async function setCapturedAmount(
  tx: StoreTx,
  order: LockedOrder,
  payment: { amountCapturedMinor: bigint; paidAt?: Date },
  events: EventKind[],
): Promise<void> {
  await Order.in(tx)
    .findById(order.id)
    .patch({ ...payment, updatedAt: nextUpdatedAt(order) })
  recountCustomer(tx, order.customerId)
  await emitOrderEvents(tx, order.id, events)
}
