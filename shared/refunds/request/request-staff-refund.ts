import type { OrderActor } from '#shared/orders/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Refund } from '../refund.ts'
import { type RefundRequest, requestRefund } from './request-refund.ts'

/** The function of disputes that refunds call. Refunds may not import it, so the caller passes it in. */
export interface DisputePort {
  /** Throws `order.disputed` while a dispute of an order, or of one of its payments, is open. */
  assertNoOpenDispute(tx: StoreTx, orderId: string, paymentId?: string): Promise<void>
}

/**
 * Starts a refund that staff request. Throws like `requestRefund`. Throws `order.disputed` for money outside the
 * gateway without an override: the buyer would get it twice when the dispute is lost. Other refunds are left to the
 * gateway, which refuses them while the bank decides.
 */
export async function requestStaffRefund(
  tx: StoreTx,
  orderId: string,
  request: RefundRequest,
  { actor, disputes }: { actor: OrderActor; disputes: DisputePort },
): Promise<Refund> {
  if (request.means === 'outside_gateway' && !request.override) {
    // A dispute is recorded under the same lock.
    await lockOrder(tx, orderId)
    await disputes.assertNoOpenDispute(tx, orderId)
  }
  return requestRefund(tx, orderId, request, actor)
}
