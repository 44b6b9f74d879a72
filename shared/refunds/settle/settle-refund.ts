import { lockOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { isInProgress, REFUND_TRANSITIONS, type RefundStatus } from '#shared/refunds/states.ts'
import { applyFailure } from './apply-failure.ts'
import { applySuccess } from './apply-success.ts'

export interface RefundOutcome {
  status: RefundStatus
  reference: string | null
  failureReason: string | null
}

/** The outcome of a refund that the store or a bank has paid without this gateway. */
export const SUCCEEDED_WITHOUT_GATEWAY: RefundOutcome = {
  status: 'succeeded',
  reference: null,
  failureReason: null,
}

/**
 * Applies the outcome of a refund. A repeated outcome, or one that the status no longer allows, changes nothing. A
 * success is recorded on the order once. A failure after a success subtracts it again.
 */
export async function settleRefund(tx: StoreTx, refundId: string, outcome: RefundOutcome): Promise<void> {
  const { orderId } = await Refund.in(tx).findById(refundId).throwIfNotFound()
  // Every transaction locks the order before its refund. The refund's status is read under that lock.
  const order = await lockOrder(tx, orderId)
  const refund = await Refund.in(tx).findById(refundId).throwIfNotFound()
  if (!canTransition(REFUND_TRANSITIONS, refund.status, outcome.status))
    return saveReference(tx, refund, outcome)

  const changed = await saveOutcome(tx, refund, outcome)
  if (outcome.status === 'succeeded') await applySuccess(tx, order, changed)
  else if (!changed.isInProgress)
    await applyFailure(tx, order, changed, { hadSucceeded: refund.status === 'succeeded' })
  await notifySettled(tx, refundId)
}

async function saveOutcome(tx: StoreTx, refund: Refund, { status, reference, failureReason }: RefundOutcome) {
  const changes = {
    status,
    gatewayReference: reference ?? refund.gatewayReference,
    failureReason,
    settledAt: isInProgress(status) ? null : now(),
  }
  await Refund.in(tx).findById(refund.id).patch(changes)
  return refund.with(changes)
}

/** Saves the gateway's reference. Later requests then read the refund at the gateway instead of creating it. */
async function saveReference(tx: StoreTx, refund: Refund, { reference }: RefundOutcome) {
  if (!refund.isInProgress || !reference || refund.gatewayReference) return
  await Refund.in(tx).findById(refund.id).patch({ gatewayReference: reference })
}
