import { recordRefund, revertRefund } from '#shared/orders/amounts/record-refund.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-history.ts'
import { recordReturned, Surplus, scheduleAttempt } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor, larger } from '#shared/platform/money.ts'
import { notifySettled } from '#shared/platform/notify/signals.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { refundToVoucher } from '#shared/vouchers/redemptions/refund-to-voucher.ts'
import { sumWithdrawnPrices, undoWithdrawals } from '#shared/vouchers/redemptions/withdraw-price.ts'
import { markRefunded } from '../booking/mark-refunded.ts'
import { restockRefunded } from '../booking/restock-refunded.ts'
import { withdrawUnshipped } from '../booking/withdraw-unshipped.ts'
import { emitRefundEvent, orderRefunded, orderRefundFailed } from '../events.ts'
import { applyExcess } from '../excess/apply-excess.ts'
import { bookExcess } from '../excess/book-excess.ts'
import { Refund, RefundItem } from '../refund.ts'
import { isInProgress, REFUND_TRANSITIONS, type RefundStatus } from '../states.ts'
import { type Rounding, recalculateRounding } from './round-together.ts'

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

  const changed = await saveOutcome(tx, refund, outcome)
  if (outcome.status === 'succeeded') await recordSuccess(tx, order, changed)
  else if (!changed.isInProgress) await recordFailure(tx, order, changed, refund.status)
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

/** With the reference, later requests read the refund at the gateway instead of creating it. */
async function saveReference(tx: StoreTx, refund: Refund, { reference }: RefundOutcome) {
  if (!refund.isInProgress || !reference || refund.gatewayReference) return
  await Refund.in(tx).findById(refund.id).patch({ gatewayReference: reference })
}

async function recordSuccess(tx: StoreTx, order: Order, succeeded: Refund) {
  const units = await withdrawUnshipped(tx, succeeded, await refundedUnits(tx, succeeded))
  const unbooked = succeeded.with({ surplusMinor: 0n, excessMinor: succeeded.amountMinor })
  const booking = await bookExcess(tx, order, unbooked)
  const { refund, ...rounded } = await recalculateRounding(tx, booking.order, booking.refund)
  // An earlier refund that is rounded down again frees an amount that this refund can book.
  const booked = rounded.isChanged ? await applyExcess(tx, rounded.order) : rounded.order
  if (refund.surplusMinor > 0n)
    await addHistoryNote(tx, booked, 'Money that was paid too much is back with the buyer', 'gateway')
  if (refund.excessMinor > 0n) await noteExcess(tx, booked, refund)
  if (refund.beyondSurplusMinor === 0n) return emitOrderEvents(tx, order.id, [orderUpdated])
  const counted = units.length ? await recordRefund(tx, booked, { amountMinor: 0n, units }) : booked
  if (refund.voucherAmountMinor > 0n) await refundToVoucher(tx, order.id, refund.voucherAmountMinor)
  if (refund.restock) await restockRefunded(tx, order.id, units)
  await markRefunded(tx, counted, refund)
  await emitRefundEvent(tx, orderRefunded, refund)
}

async function noteExcess(tx: StoreTx, order: Order, { excessMinor, currency }: Refund) {
  const excess = formatMinor(excessMinor, currency)
  await addHistoryNote(tx, order, `${excess} were paid back beyond what this order had left`, 'gateway')
}

async function recordFailure(tx: StoreTx, locked: Order, failed: Refund, before: RefundStatus) {
  const reverted = before === 'succeeded' ? await revertSuccess(tx, locked, failed) : undefined
  const { order, refund } = reverted ?? { order: locked, refund: failed }
  await undoWithdrawals(tx, refund.id, await keptOfVouchersMinor(tx, refund))
  await applyExcess(tx, order)
  if (refund.surplusId) await scheduleReturn(tx, refund, refund.surplusId)
  await emitRefundEvent(tx, orderRefundFailed, refund)
}

/** Subtracts a refund that the bank has returned from its surplus and from its order. */
async function revertSuccess(tx: StoreTx, order: Order, refund: Refund): Promise<Rounding> {
  const { surplusId, surplusMinor } = refund
  if (surplusId && surplusMinor > 0n) await recordReturned(tx, surplusId, -surplusMinor)
  if (refund.beyondSurplusMinor === 0n) return recalculateRounding(tx, order, refund)
  const subtracted = await subtractFromOrder(tx, order, refund)
  return recalculateRounding(tx, subtracted.order, subtracted.refund)
}

async function subtractFromOrder(tx: StoreTx, order: Order, refund: Refund) {
  // The part on the voucher stays there: it may be spent already, and no bank returned it.
  const { voucherAmountMinor: keptMinor } = refund
  const returnedMinor = refund.beyondSurplusMinor - keptMinor
  const amountMinor = larger(0n, returnedMinor - refund.excessMinor)
  // The order may have had less left than what stays there.
  const changes = { keptMinor, excessMinor: larger(0n, refund.excessMinor - returnedMinor) }
  await Refund.in(tx).findById(refund.id).patch(changes)
  const units = await refundedUnits(tx, refund)
  return { order: await revertRefund(tx, order, { amountMinor, units }), refund: refund.with(changes) }
}

/**
 * The part of the kept amount that the goods do not need: so much stays paid back of the prices of bought vouchers.
 */
async function keptOfVouchersMinor(tx: StoreTx, { id, amountMinor, keptMinor }: Refund): Promise<bigint> {
  if (keptMinor === 0n) return 0n
  return larger(0n, keptMinor - (amountMinor - (await sumWithdrawnPrices(tx, id))))
}

/** A surplus whose return failed is still owed, or owed again: the return is tried again later. */
async function scheduleReturn(tx: StoreTx, { failureReason }: Refund, surplusId: string) {
  const surplus = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  if (surplus.owedMinor > 0n) await scheduleAttempt(tx, surplus, failureReason)
}

const refundedUnits = (tx: StoreTx, refund: Refund): PromiseLike<RefundItem[]> =>
  RefundItem.in(tx).where('refund_id', refund.id)
