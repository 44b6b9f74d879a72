import { revertRefundedAmount } from '#shared/orders/amounts/book-refunded-amount.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { recordReturned, Surplus, scheduleRefundAttempt } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger } from '#shared/platform/money.ts'
import { bookExcess } from '#shared/refunds/booking/book-excess.ts'
import { withdrawForOtherRefunds } from '#shared/refunds/booking/withdraw-for-other-refunds.ts'
import { emitRefundEvent, orderRefundFailed } from '#shared/refunds/events.ts'
import { Refund, RefundItem } from '#shared/refunds/refund.ts'
import { undoWithdrawals } from '#shared/vouchers/redemptions/undo-withdrawals.ts'
import { sumWithdrawnPrices } from '#shared/vouchers/redemptions/voucher-withdrawal.ts'
import { type Rounding, recalculateRounding } from './recalculate-rounding.ts'

/**
 * Reverts a failed refund: restores the bought vouchers that it withdrew, as far as no other refund pays their price,
 * and schedules another refund of its surplus. A refund that had succeeded before (`hadSucceeded`) is subtracted from
 * its surplus and order first.
 */
export async function applyFailure(
  tx: StoreTx,
  locked: LockedOrder,
  failed: Refund,
  { hadSucceeded }: { hadSucceeded: boolean },
): Promise<void> {
  const reverted = hadSucceeded ? await revertSuccess(tx, locked, failed) : undefined
  const { order, refund } = reverted ?? { order: locked, refund: failed }
  const isRestored = await undoWithdrawals(tx, refund.id, await keptOfVouchersMinor(tx, refund))
  const withExcess = await bookExcess(tx, order)
  if (isRestored) await withdrawForOtherRefunds(tx, withExcess)
  if (refund.surplusId) await scheduleSurplusRefund(tx, refund, refund.surplusId)
  await emitRefundEvent(tx, orderRefundFailed, refund)
}

/** Subtracts a refund that the bank has returned from its surplus and from its order. */
async function revertSuccess(tx: StoreTx, order: LockedOrder, refund: Refund): Promise<Rounding> {
  const { surplusId, surplusMinor } = refund
  if (surplusId && surplusMinor > 0n) await recordReturned(tx, surplusId, -surplusMinor)
  if (refund.beyondSurplusMinor === 0n) return recalculateRounding(tx, order, refund)
  const subtracted = await subtractFromOrder(tx, order, refund)
  return recalculateRounding(tx, subtracted.order, subtracted.refund)
}

async function subtractFromOrder(tx: StoreTx, order: LockedOrder, refund: Refund) {
  // The voucher keeps its part: it may be spent already, and no bank returned it.
  const { voucherAmountMinor: keptMinor } = refund
  const returnedMinor = refund.beyondSurplusMinor - keptMinor
  const amountMinor = larger(0n, returnedMinor - refund.excessMinor)
  // The order may have had less left than the voucher keeps.
  const changes = { keptMinor, excessMinor: larger(0n, refund.excessMinor - returnedMinor) }
  await Refund.in(tx).findById(refund.id).patch(changes)
  const units = await RefundItem.in(tx).where('refund_id', refund.id)
  return {
    order: await revertRefundedAmount(tx, order, { amountMinor, units }),
    refund: refund.with(changes),
  }
}

/**
 * Returns the part of the kept amount above the price of the goods. That much of the bought vouchers' prices stays paid
 * back.
 */
async function keptOfVouchersMinor(tx: StoreTx, { id, amountMinor, keptMinor }: Refund): Promise<bigint> {
  if (keptMinor === 0n) return 0n
  const goodsMinor = amountMinor - (await sumWithdrawnPrices(tx, id))
  return larger(0n, keptMinor - goodsMinor)
}

/** Schedules another refund of a surplus that is still owed or owed again. */
async function scheduleSurplusRefund(tx: StoreTx, { failureReason }: Refund, surplusId: string) {
  const surplus = await Surplus.in(tx).findById(surplusId).throwIfNotFound()
  if (surplus.owedMinor > 0n) await scheduleRefundAttempt(tx, surplus, failureReason)
}
