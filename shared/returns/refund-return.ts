import type { Actor } from '../orders/actor.ts'
import type { RefundedUnits } from '../orders/record-refund.ts'
import { changedAt } from '../platform/entity-tag.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { RefundErrors } from '../refunds/errors.ts'
import { Refund } from '../refunds/refund.ts'
import { requestRefund } from '../refunds/request-refund.ts'
import { completeIfSettled } from './complete-return.ts'
import { ReturnErrors } from './errors.ts'
import { lockReturn } from './lock-return.ts'
import { Return } from './return.ts'
import { ReturnItem } from './return-item.ts'

export interface ReturnRefundRequest {
  /** For shipping, on top of what was paid for the units. */
  shippingAmountMinor: bigint | undefined
  reason: string | undefined
}

/**
 * Begins to pay back the units of a return that arrived, at what was paid for them. One refund that is under way or
 * done is all that a return gets; after one that failed it may be asked for again. Throws 404, 409
 * `return.not_received`, `return.other_action`, `return.already_refunded`, and what `requestRefund` throws.
 */
export async function refundReturn(
  tx: StoreTx,
  returnId: string,
  { shippingAmountMinor, reason }: ReturnRefundRequest,
  actor: Actor,
): Promise<Refund> {
  const locked = await lockReturn(tx, returnId)
  const { rma, order } = locked
  await assertRefundable(tx, rma)
  const asked = {
    items: await arrivedUnits(tx, returnId),
    shippingAmountMinor,
    reason: reason ?? `Return ${rma.number}`,
  }
  const refund = await requestRefund(tx, order.id, asked, actor)
  const changes = { refundId: refund.id, updatedAt: changedAt(rma) }
  await Return.in(tx).findById(returnId).patch(changes)
  Object.assign(rma, changes)
  await completeIfSettled(tx, locked, actor)
  return refund
}

// A completed return is looked at too: its buyer's bank may have sent the money back after all.
async function assertRefundable(tx: StoreTx, rma: Return): Promise<void> {
  if (!rma.receivedAt) throw ReturnErrors.notReceived({ status: rma.status })
  if (rma.action !== 'refund') throw ReturnErrors.otherAction({ action: rma.action })
  const before = rma.refundId ? await Refund.in(tx).findById(rma.refundId) : undefined
  if (before?.isUnderWay) throw RefundErrors.inProgress()
  if (before?.status === 'succeeded') throw ReturnErrors.alreadyRefunded()
}

/** The units that arrived, by their order's line: items that fared differently are one line's all the same. */
async function arrivedUnits(tx: StoreTx, returnId: string): Promise<RefundedUnits[]> {
  const items = await ReturnItem.in(tx).where('return_id', returnId).whereNot('disposition', 'missing')
  const units = new Map<string, number>()
  for (const { orderItemId, quantity } of items)
    units.set(orderItemId, (units.get(orderItemId) ?? 0) + quantity)
  return [...units].map(([orderItemId, quantity]) => ({ orderItemId, quantity }))
}
