import { restockUnits } from '#shared/inventory/restock-units.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { addOrderNote } from '#shared/orders/order-history.ts'
import { findOrderItems, OrderItem, toVariantUnits } from '#shared/orders/order-item.ts'
import { recordRefund, revertRefund } from '#shared/orders/record-refund.ts'
import { unshippedUnits } from '#shared/orders/shipments/units-to-ship.ts'
import { recordReturned, Surplus, scheduleAttempt } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger } from '#shared/platform/money.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { refundToVoucher } from '#shared/vouchers/refund-to-voucher.ts'
import { undoWithdrawals } from '#shared/vouchers/withdraw-price.ts'
import { applyExcess, markRefunded } from './apply-excess.ts'
import { emitRefundEvent, orderRefunded, orderRefundFailed } from './events.ts'
import { Refund, RefundItem } from './refund.ts'
import { isInProgress, REFUND_TRANSITIONS, type RefundStatus } from './states.ts'

export interface RefundOutcome {
  status: RefundStatus
  reference: string | null
  failureReason: string | null
}

/**
 * Applies the outcome of a refund. An outcome that repeats or that the status no longer allows changes nothing. Success
 * is recorded on the order once; a failure after it is subtracted again.
 */
export async function settleRefund(tx: StoreTx, refundId: string, outcome: RefundOutcome): Promise<void> {
  const { orderId } = await Refund.in(tx).findById(refundId).throwIfNotFound()
  // Every transaction locks the order before its refund. The refund's status is read under that lock.
  const order = await lockOrder(tx, orderId)
  const refund = await Refund.in(tx).findById(refundId).throwIfNotFound()
  if (!canTransition(REFUND_TRANSITIONS, refund.status, outcome.status))
    return saveReference(tx, refund, outcome)

  const before = refund.status
  await saveOutcome(tx, refund, outcome)
  if (outcome.status === 'succeeded') await recordSuccess(tx, order, refund)
  else if (!refund.isInProgress) await recordFailure(tx, order, refund, before)
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
  Object.assign(refund, changes)
}

/** With the reference, later requests read the refund at the gateway instead of creating it. */
async function saveReference(tx: StoreTx, refund: Refund, { reference }: RefundOutcome) {
  if (!refund.isInProgress || !reference || refund.gatewayReference) return
  await Refund.in(tx).findById(refund.id).patch({ gatewayReference: reference })
}

async function recordSuccess(tx: StoreTx, order: Order, refund: Refund) {
  if (refund.surplusId) return recordSurplusReturned(tx, order, refund, refund.surplusId)
  const units = await withdrawUnshipped(tx, refund, await refundedUnits(tx, refund))
  await recordRefund(tx, order, { amountMinor: await withinMinor(tx, refund, order.refundableMinor), units })
  if (refund.voucherAmountMinor > 0n) await refundToVoucher(tx, order.id, refund.voucherAmountMinor)
  if (refund.restock)
    await restockUnits(tx, order.id, toVariantUnits(await findOrderItems(tx, order.id), units))
  await markRefunded(tx, order, refund)
  await emitRefundEvent(tx, orderRefunded, refund)
}

/** Units that did not ship are refunded before those that did, unless the refund is of a return. */
async function withdrawUnshipped(tx: StoreTx, refund: Refund, units: RefundItem[]): Promise<RefundItem[]> {
  if (refund.isReturn || units.length === 0) return units
  const lines = await OrderItem.in(tx).where('order_id', refund.orderId)
  for (const unit of units) {
    const line = lines.find(({ id }) => id === unit.orderItemId)
    const withdrawnQuantity = Math.min(unit.quantity, line ? unshippedUnits(line) : 0)
    if (withdrawnQuantity > 0) await RefundItem.in(tx).findById(unit.id).patch({ withdrawnQuantity })
    unit.withdrawnQuantity = withdrawnQuantity
  }
  return units
}

/**
 * The part of a refund that is within a limit. The rest is saved as its excess: the gateway has paid it all the same, e.g.
 * because a dispute was lost while the refund was in progress.
 */
async function withinMinor(tx: StoreTx, refund: Refund, limitMinor: bigint): Promise<bigint> {
  const excessMinor = larger(0n, refund.amountMinor - limitMinor)
  if (excessMinor > 0n) await Refund.in(tx).findById(refund.id).patch({ excessMinor })
  refund.excessMinor = excessMinor
  return refund.amountMinor - excessMinor
}

async function recordSurplusReturned(tx: StoreTx, order: Order, refund: Refund, surplusId: string) {
  const surplus = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  await recordReturned(tx, surplusId, await withinMinor(tx, refund, surplus.owedMinor))
  await addOrderNote(tx, order, 'Money that was paid too much is back with the buyer', 'gateway')
  await emitOrderEvents(tx, order.id, [orderUpdated])
}

/** A surplus whose return failed is still owed, or owed again: the return is tried again later. */
async function recordSurplusFailure(tx: StoreTx, refund: Refund, before: RefundStatus, surplusId: string) {
  const returnedMinor = refund.amountMinor - refund.excessMinor
  if (before === 'succeeded') await recordReturned(tx, surplusId, -returnedMinor)
  const surplus = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  if (surplus.owedMinor > 0n) await scheduleAttempt(tx, surplus, refund.failureReason)
  await emitRefundEvent(tx, orderRefundFailed, refund)
}

async function recordFailure(tx: StoreTx, order: Order, refund: Refund, before: RefundStatus) {
  if (refund.surplusId) return recordSurplusFailure(tx, refund, before, refund.surplusId)
  // The part on the voucher stays there: it may be spent already, and no bank returned it.
  const amountMinor = refund.amountMinor - refund.voucherAmountMinor - refund.excessMinor
  if (before === 'succeeded')
    await revertRefund(tx, order, { amountMinor, units: await refundedUnits(tx, refund) })
  await undoWithdrawals(tx, refund.id)
  await applyExcess(tx, order)
  await emitRefundEvent(tx, orderRefundFailed, refund)
}

const refundedUnits = (tx: StoreTx, refund: Refund): PromiseLike<RefundItem[]> =>
  RefundItem.in(tx).where('refund_id', refund.id)
