import { recordRefund } from '#shared/orders/amounts/record-refund.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { LockedOrder, Order } from '#shared/orders/order.ts'
import { addHistoryNote } from '#shared/orders/order-history.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { refundToVoucher } from '#shared/vouchers/redemptions/refund-to-voucher.ts'
import { type Booking, bookRefund } from '../booking/book-refund.ts'
import { markRefunded } from '../booking/mark-refunded.ts'
import { restockRefunded } from '../booking/restock-refunded.ts'
import { withdrawUnshipped } from '../booking/withdraw-unshipped.ts'
import { emitRefundEvent, orderRefunded } from '../events.ts'
import { applyExcess } from '../excess/apply-excess.ts'
import { type Refund, RefundItem } from '../refund.ts'
import { recalculateRounding } from './recalculate-rounding.ts'

/** Records a refund that has succeeded on its surplus and on its order. */
export async function recordSuccess(tx: StoreTx, order: LockedOrder, succeeded: Refund): Promise<void> {
  const units = await withdrawUnshipped(
    tx,
    succeeded,
    await RefundItem.in(tx).where('refund_id', succeeded.id),
  )
  const { order: booked, refund } = await bookAmount(tx, order, succeeded)
  await addNotes(tx, booked, refund)
  if (refund.beyondSurplusMinor === 0n) return emitOrderEvents(tx, order.id, [orderUpdated])
  const counted = units.length ? await recordRefund(tx, booked, { amountMinor: 0n, units }) : booked
  if (refund.voucherAmountMinor > 0n) await refundToVoucher(tx, order.id, refund.voucherAmountMinor)
  if (refund.restock) await restockRefunded(tx, order.id, units)
  await markRefunded(tx, counted, refund)
  await emitRefundEvent(tx, orderRefunded, refund)
}

async function bookAmount(
  tx: StoreTx,
  order: LockedOrder,
  succeeded: Refund,
): Promise<Pick<Booking, 'order' | 'refund'>> {
  // So far, `surplusMinor` is what the refund was expected to return.
  const unbooked = succeeded.with({ surplusMinor: 0n })
  const booking = await bookRefund(tx, order, unbooked, succeeded.amountMinor)
  const rounded = await recalculateRounding(tx, booking.order, booking.refund)
  if (!rounded.isChanged) return rounded
  // An earlier refund that is rounded down again frees an amount that this refund can book.
  return { refund: rounded.refund, order: await applyExcess(tx, rounded.order) }
}

async function addNotes(tx: StoreTx, order: Order, { surplusMinor, excessMinor, currency }: Refund) {
  if (surplusMinor > 0n)
    await addHistoryNote(tx, order, 'Money that was paid too much is back with the buyer', 'gateway')
  if (excessMinor === 0n) return
  const excess = formatMinor(excessMinor, currency)
  await addHistoryNote(tx, order, `${excess} were paid back beyond what this order had left`, 'gateway')
}
