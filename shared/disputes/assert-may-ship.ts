import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertNotBeingRefunded } from '#shared/refunds/refund.ts'
import { assertNoOpenDispute } from './dispute.ts'

/**
 * Throws `refund.in_progress` and `order.disputed` while an order, which the caller has locked, is not to be shipped: the
 * goods could be lost with the money.
 */
export async function assertMayShip(tx: StoreTx, order: Order): Promise<void> {
  await assertNotBeingRefunded(tx, order)
  await assertNoOpenDispute(tx, order.id)
}
