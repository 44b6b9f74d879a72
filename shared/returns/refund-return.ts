import type { Actor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { requestRefund } from '#shared/refunds/request-refund.ts'
import { arrivedUnits } from './arrived-units.ts'
import { ReturnErrors } from './errors.ts'
import { issueCredit } from './issue-credit.ts'
import { lockReturn } from './lock-return.ts'
import { noteSettling } from './note-settling.ts'
import type { Return } from './return.ts'

export interface ReturnRefundRequest {
  /** For shipping, on top of what was paid for the units. */
  shippingAmountMinor?: bigint | undefined
  /** What the store keeps of what was paid for the units. */
  feeMinor?: bigint | undefined
  reason?: string | undefined
}

/**
 * Begins to pay back the units of a return that arrived, at what was paid for them: in money, or by a voucher where
 * the return is to end with credit. One refund that is under way or done is all that a return gets; after one that
 * failed it may be asked for again. Throws 404, 409 `return.not_received`, `return.other_action`,
 * `return.already_refunded`, and what `requestRefund` throws.
 */
export async function refundReturn(
  tx: StoreTx,
  returnId: string,
  { reason, ...amounts }: ReturnRefundRequest,
  actor: Actor,
): Promise<Refund> {
  const locked = await lockReturn(tx, returnId)
  const { rma, order } = locked
  await assertRefundable(tx, rma)
  const asked = {
    items: await arrivedUnits(tx, returnId),
    ...amounts,
    reason: reason ?? `Return ${rma.number}`,
    asCredit: rma.action === 'credit',
  }
  const refund = await requestRefund(tx, order.id, asked, actor)
  const credit = asked.asCredit ? { voucherId: await issueCredit(tx, locked, refund, actor) } : {}
  await noteSettling(tx, locked, { refundId: refund.id, ...credit }, actor)
  return refund
}

// A completed return is looked at too: its buyer's bank may have sent the money back after all.
async function assertRefundable(tx: StoreTx, rma: Return): Promise<void> {
  if (!rma.receivedAt) throw ReturnErrors.notReceived({ status: rma.status })
  if (rma.action !== 'refund' && rma.action !== 'credit')
    throw ReturnErrors.otherAction({ action: rma.action })
  const before = rma.refundId ? await Refund.in(tx).findById(rma.refundId) : undefined
  if (before?.isInProgress) throw RefundErrors.inProgress()
  if (before?.status === 'succeeded') throw ReturnErrors.alreadyRefunded()
}
