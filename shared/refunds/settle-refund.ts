import { restockUnits } from '#shared/inventory/restock-units.ts'
import { changeOrderStatus } from '#shared/orders/change-order-status.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { type RefundedUnits, recordRefund } from '#shared/orders/record-refund.ts'
import { ORDER_TRANSITIONS } from '#shared/orders/states.ts'
import { isUuid } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { refundToVoucher } from '#shared/vouchers/refund-to-voucher.ts'
import { undoWithdrawals } from '#shared/vouchers/withdraw-price.ts'
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
  const units = await refundedUnits(tx, refund)
  await recordRefund(tx, order, refund.amountMinor, units)
  if (refund.voucherAmountMinor > 0n) await refundToVoucher(tx, order.id, refund.voucherAmountMinor)
  if (refund.restock) await restock(tx, order, units)
  if (order.refundableMinor === 0n && canTransition(ORDER_TRANSITIONS, order.status, 'refunded'))
    await changeOrderStatus(tx, order.id, 'refunded', refund.requestedBy, refund.reason)
  await emitRefundEvent(tx, orderRefunded, refund)
}

async function recordFailure(tx: StoreTx, order: Order, refund: Refund, before: RefundStatus) {
  // The part on the voucher stays there: it may be spent already, and no bank returned it.
  const returnedMinor = refund.amountMinor - refund.voucherAmountMinor
  if (before === 'succeeded') await recordRefund(tx, order, -returnedMinor, await refundedUnits(tx, refund))
  await undoWithdrawals(tx, refund.id)
  await emitRefundEvent(tx, orderRefundFailed, refund)
}

const refundedUnits = (tx: StoreTx, refund: Refund): PromiseLike<RefundedUnits[]> =>
  RefundItem.in(tx).where('refund_id', refund.id)

async function restock(tx: StoreTx, order: Order, units: RefundedUnits[]) {
  const lines = await OrderItem.in(tx).where('order_id', order.id)
  const returned = units.flatMap(({ orderItemId, quantity }) => {
    const variantId = lines.find(({ id }) => id === orderItemId)?.variantId
    return variantId ? [{ variantId, quantity }] : []
  })
  await restockUnits(tx, order.id, returned)
}

/** `refundId` comes from the metadata of the gateway's refund; null for a refund that was created elsewhere. */
export interface RefundNotification extends RefundOutcome {
  refundId: string | null
}

/** Applies a gateway's notification of a refund. Ignores refunds of other stores and those created elsewhere. */
export async function applyRefundNotification(
  tx: StoreTx,
  { refundId, ...outcome }: RefundNotification,
): Promise<void> {
  const refund = refundId && isUuid(refundId) ? await Refund.in(tx).findById(refundId) : undefined
  if (refund) await settleRefund(tx, refund.id, outcome)
}
