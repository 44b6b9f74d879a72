import { changeOrderStatus } from '#shared/orders/change-order-status.ts'
import { lockOrder } from '#shared/orders/lock-order.ts'
import type { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { type RefundedUnits, recordRefund } from '#shared/orders/record-refund.ts'
import { ORDER_TRANSITIONS } from '#shared/orders/states.ts'
import { returnToStock } from '#shared/orders/stock/return-to-stock.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { refundToVoucher } from '#shared/vouchers/refund-to-voucher.ts'
import { undoWithdrawals } from '#shared/vouchers/withdraw-bought.ts'
import { emitRefundEvent, orderRefunded, orderRefundFailed } from './events.ts'
import { Refund } from './refund.ts'
import { RefundItem } from './refund-item.ts'
import { isUnderWay, REFUND_TRANSITIONS, type RefundStatus } from './states.ts'

/** What became of a refund, as its gateway tells. */
export interface RefundOutcome {
  status: RefundStatus
  reference: string | null
  failureReason: string | null
}

/**
 * Takes in what became of a refund, as often as it is told: what it is already, or can no longer become, changes
 * nothing. Success is counted on the order once; money that came back after that is taken off again.
 */
export async function settleRefund(tx: StoreTx, refundId: string, outcome: RefundOutcome): Promise<void> {
  const { orderId } = await Refund.in(tx).findById(refundId).throwIfNotFound()
  // The order is locked before its refund, by everyone, and the refund's status is read under that lock.
  const order = await lockOrder(tx, orderId)
  const refund = await Refund.in(tx).findById(refundId).throwIfNotFound()
  if (!canTransition(REFUND_TRANSITIONS, refund.status, outcome.status))
    return noteReference(tx, refund, outcome)

  const before = refund.status
  await takeOutcome(tx, refund, outcome)
  if (outcome.status === 'succeeded') await countSuccess(tx, order, refund)
  else if (!refund.isUnderWay) await countFailure(tx, order, refund, before)
  await notifySettled(tx, refundId)
}

async function takeOutcome(tx: StoreTx, refund: Refund, { status, reference, failureReason }: RefundOutcome) {
  const changes = {
    status,
    gatewayReference: reference ?? refund.gatewayReference,
    failureReason,
    settledAt: isUnderWay(status) ? null : now(),
  }
  await Refund.in(tx).findById(refund.id).patch(changes)
  Object.assign(refund, changes)
}

/** The gateway has taken it on and says no more yet: from here it is asked by reference. */
async function noteReference(tx: StoreTx, refund: Refund, { reference }: RefundOutcome) {
  if (!refund.isUnderWay || !reference || refund.gatewayReference) return
  await Refund.in(tx).findById(refund.id).patch({ gatewayReference: reference })
}

async function countSuccess(tx: StoreTx, order: Order, refund: Refund) {
  const units = await unitsOf(tx, refund)
  await recordRefund(tx, order, refund.amountMinor, units)
  if (refund.voucherAmountMinor > 0n) await refundToVoucher(tx, order.id, refund.voucherAmountMinor)
  if (refund.restock) await restock(tx, order, units)
  if (order.refundableMinor === 0n && canTransition(ORDER_TRANSITIONS, order.status, 'refunded'))
    await changeOrderStatus(tx, order.id, 'refunded', refund.requestedBy, refund.reason)
  await emitRefundEvent(tx, orderRefunded, refund)
}

async function countFailure(tx: StoreTx, order: Order, refund: Refund, before: RefundStatus) {
  // What went back on a voucher stays there: it may be spent already, and it did not come back.
  const cameBackMinor = refund.amountMinor - refund.voucherAmountMinor
  if (before === 'succeeded') await recordRefund(tx, order, -cameBackMinor, await unitsOf(tx, refund))
  await undoWithdrawals(tx, refund.id)
  await emitRefundEvent(tx, orderRefundFailed, refund)
}

const unitsOf = (tx: StoreTx, refund: Refund): PromiseLike<RefundedUnits[]> =>
  RefundItem.in(tx).where('refund_id', refund.id)

async function restock(tx: StoreTx, order: Order, units: RefundedUnits[]) {
  const lines = await OrderItem.in(tx).where('order_id', order.id)
  const returned = units.flatMap(({ orderItemId, quantity }) => {
    const variantId = lines.find(({ id }) => id === orderItemId)?.variantId
    return variantId ? [{ variantId, quantity }] : []
  })
  await returnToStock(tx, order.id, returned)
}
