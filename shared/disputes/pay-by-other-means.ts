import type { Actor } from '#shared/orders/history/actor.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { type RefundRequest, requestRefund } from '#shared/refunds/request-refund.ts'
import { type SurplusSettlement, settleSurplus } from '#shared/refunds/return-surplus.ts'
import { assertNoOpenDispute } from './dispute.ts'

// The gateway refuses a refund while the bank decides. Money that staff pay by other means would be paid twice when the
// dispute is lost.

/**
 * Starts a refund that staff request. Throws like `requestRefund`, and `order.disputed` for money outside the gateway, unless
 * with an override.
 */
export async function requestStaffRefund(
  tx: StoreTx,
  orderId: string,
  request: RefundRequest,
  actor: Actor,
): Promise<Refund> {
  const isByOtherMeans = request.means === 'outside_gateway'
  if (isByOtherMeans && !request.override) {
    // A dispute is recorded under the same lock.
    await lockOrder(tx, orderId)
    await assertNoOpenDispute(tx, orderId)
  }
  return requestRefund(tx, orderId, request, actor)
}

/** Records that staff have returned a surplus. Throws like `settleSurplus`, and `order.disputed` while its payment is disputed. */
export async function settleSurplusByOtherMeans(
  tx: StoreTx,
  settlement: SurplusSettlement,
  actor: Actor,
): Promise<void> {
  const { orderId, surplusId } = settlement
  await lockOrder(tx, orderId)
  const surplus = await Surplus.in(tx).findById(surplusId)
  if (surplus) await assertNoOpenDispute(tx, orderId, surplus.paymentId)
  await settleSurplus(tx, settlement, actor)
}
