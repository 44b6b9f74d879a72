import type { OrderActor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { markPaid } from '#shared/payments/capture/mark-paid.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyExcess } from './apply-excess.ts'

/**
 * Records that an order was paid outside the gateway, and books the refunds that the gateway or a bank made of its
 * other payments before. Throws like `markPaid`.
 */
export async function markPaidOutsideGateway(
  tx: StoreTx,
  orderId: string,
  actor: OrderActor,
  note: string | null,
): Promise<void> {
  await markPaid(tx, orderId, actor, { note })
  await applyExcess(tx, await lockOrder(tx, orderId))
}
