import { bookRefundedUnits } from '#shared/orders/amounts/book-refunded-amount.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { LockedOrder, Order } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-step.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { bookExcess } from '#shared/refunds/booking/book-excess.ts'
import { type Booking, bookRefund } from '#shared/refunds/booking/book-refund.ts'
import { markRefunded } from '#shared/refunds/booking/mark-refunded.ts'
import { restockRefunded } from '#shared/refunds/booking/restock-refunded.ts'
import { withdrawUnshipped } from '#shared/refunds/booking/withdraw-unshipped.ts'
import { emitRefundEvent, orderRefunded } from '#shared/refunds/events.ts'
import { Refund, RefundItem } from '#shared/refunds/refund.ts'
import { refundToVoucher } from '#shared/vouchers/redemptions/refund-to-voucher.ts'
import { recalculateRounding } from './recalculate-rounding.ts'

/**
 * Books a succeeded refund on its surplus and order: amounts and their rounding, units, voucher part, order status,
 * notes and events.
 */
export async function applySuccess(tx: StoreTx, order: LockedOrder, succeeded: Refund): Promise<void> {
  const units = await withdrawUnshipped(
    tx,
    succeeded,
    await RefundItem.in(tx).where('refund_id', succeeded.id),
  )
  const { order: booked, refund } = await bookAmount(tx, order, succeeded)
  await addNotes(tx, booked, refund)
  if (refund.beyondSurplusMinor === 0n) await emitOrderEvents(tx, order.id, [orderUpdated])
  else await applyToOrder(tx, booked, refund, units)
}

/** Applies the part of a refund that is not of a surplus: to the units, the voucher and the status of its order. */
async function applyToOrder(
  tx: StoreTx,
  order: LockedOrder,
  refund: Refund,
  units: readonly RefundItem[],
): Promise<void> {
  const changed = await bookRefundedUnits(tx, order, units)
  if (refund.voucherAmountMinor > 0n) await refundToVoucher(tx, order.id, refund.voucherAmountMinor)
  if (refund.restock) await restockRefunded(tx, order.id, units)
  await markRefunded(tx, changed, refund)
  await emitRefundEvent(tx, orderRefunded, refund)
}

async function bookAmount(
  tx: StoreTx,
  order: LockedOrder,
  succeeded: Refund,
): Promise<Pick<Booking, 'order' | 'refund'>> {
  // Up to now `surplusMinor` was only the expected part.
  const unbooked = succeeded.with({ surplusMinor: 0n })
  const booking = await bookRefund(tx, order, unbooked, succeeded.amountMinor)
  const rounded = await recalculateRounding(tx, booking.order, booking.refund)
  if (!rounded.isChanged) return rounded
  // Rounding an earlier refund down frees an amount, which this refund's excess can take. Only refunds made at the
  // gateway are rounded again, and they have no units.
  const withExcess = await bookExcess(tx, rounded.order)
  return { order: withExcess, refund: await Refund.in(tx).findById(succeeded.id).throwIfNotFound() }
}

async function addNotes(tx: StoreTx, order: Order, { surplusMinor, excessMinor, currency }: Refund) {
  if (surplusMinor > 0n) await addHistoryNote(tx, order, 'The surplus was returned to the buyer', 'gateway')
  if (excessMinor === 0n) return
  const excess = formatMinor(excessMinor, currency)
  await addHistoryNote(tx, order, `${excess} were refunded above the order's refundable amount`, 'gateway')
}
