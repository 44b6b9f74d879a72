import { revertRefundedAmount } from '#shared/orders/amounts/book-refunded-amount.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { recordReturned } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type Booking, bookRefund } from '#shared/refunds/booking/book-refund.ts'
import { findRoundingChanges, MINOR_UNIT_PPM } from '#shared/refunds/calculate/round-together.ts'
import { Refund } from '#shared/refunds/refund.ts'

/** A refund and its order after rounding. `isChanged`: whether an amount has changed. */
export interface Rounding extends Omit<Booking, 'orderMinor'> {
  isChanged: boolean
}

/**
 * Rounds the succeeded refunds of a payment again after one of them, `changed`, has succeeded or failed. Returns the
 * updated refund and order.
 */
export async function recalculateRounding(
  tx: StoreTx,
  order: LockedOrder,
  changed: Refund,
): Promise<Rounding> {
  if (changed.roundedUpPpm === 0 || !changed.paymentId) return { order, refund: changed, isChanged: false }
  const found = await Refund.in(tx)
    .where({ payment_id: changed.paymentId, status: 'succeeded' })
    .whereNot('rounded_up_ppm', 0)
    .orderBy('id', 'desc')
  const refunds = new Map(found.map((refund) => [refund.id, refund.id === changed.id ? changed : refund]))
  const changes = findRoundingChanges([...refunds.values()])
  let current = order
  for (const { refundId, moreMinor } of changes) {
    const booking = await bookAgain(tx, current, refunds.get(refundId) as Refund, moreMinor)
    current = booking.order
    refunds.set(refundId, booking.refund)
  }
  return { order: current, refund: refunds.get(changed.id) ?? changed, isChanged: changes.length > 0 }
}

/** Books a succeeded refund again with an amount that differs by one minor unit. */
async function bookAgain(
  tx: StoreTx,
  order: LockedOrder,
  refund: Refund,
  moreMinor: 1n | -1n,
): Promise<Booking> {
  const { surplusId, surplusMinor, beyondSurplusMinor, excessMinor } = refund
  if (surplusId && surplusMinor > 0n) await recordReturned(tx, surplusId, -surplusMinor)
  const bookedMinor = beyondSurplusMinor - excessMinor
  const reverted =
    bookedMinor > 0n ? await revertRefundedAmount(tx, order, { amountMinor: bookedMinor }) : order
  const amountMinor = refund.amountMinor + moreMinor
  const changes = {
    amountMinor,
    gatewayAmountMinor: amountMinor,
    roundedUpPpm: refund.roundedUpPpm + Number(moreMinor) * MINOR_UNIT_PPM,
    surplusMinor: 0n,
    excessMinor: amountMinor,
  }
  await Refund.in(tx).findById(refund.id).patch(changes)
  return bookRefund(tx, reverted, refund.with(changes), amountMinor)
}
