import type { OrderActor } from '#shared/orders/actor.ts'
import { Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { SUCCEEDED_WITHOUT_GATEWAY, settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import type { DisputesPort } from './request-refund.ts'
import { findSurplusRefundInProgress, insertSurplusRefund, lockSurplus } from './surplus-refund.ts'

/** A surplus that staff have paid back by other means. `reason` says how. */
export interface ReturnedSurplus {
  orderId: string
  surplusId: string
  reason: string
}

/**
 * Marks an owed surplus as returned: staff have paid the buyer by other means, e.g. because the card was closed. Throws
 * `resource.not_found`, `refund.in_progress` while the gateway may still return it, `order.disputed` while its
 * payment is disputed, and `order.nothing_to_refund` if nothing is owed.
 */
export async function markSurplusReturned(
  tx: StoreTx,
  { orderId, surplusId, reason }: ReturnedSurplus,
  { actor, disputes }: { actor: OrderActor; disputes: DisputesPort },
): Promise<void> {
  assertFound(await Surplus.in(tx).findOne({ id: surplusId, order_id: orderId }))
  const surplus = await lockSurplus(tx, surplusId)
  // A dispute is recorded under the same lock.
  await disputes.assertNoOpenDispute(tx, orderId, surplus.paymentId)
  if (await findSurplusRefundInProgress(tx, surplusId)) throw RefundErrors.inProgress()
  if (surplus.owedMinor === 0n) throw RefundErrors.nothingToRefund()
  const draft = { paymentId: null, gatewayAmountMinor: 0n, requestedBy: actor, reason }
  const refund = await insertSurplusRefund(tx, surplus, draft)
  await settleRefund(tx, refund.id, SUCCEEDED_WITHOUT_GATEWAY)
}
