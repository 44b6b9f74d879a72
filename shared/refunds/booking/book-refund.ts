import { bookRefundedAmount } from '#shared/orders/amounts/book-refunded-amount.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { findOwedSurplus, recordReturned, Surplus } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { splitBooking } from '#shared/refunds/calculate/split-booking.ts'
import { paysOrder } from '#shared/refunds/pays-order.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { withdrawFromBoughtVouchers } from './withdraw-from-bought-vouchers.ts'

/** A refund and its order after a booking. */
export interface Booking {
  order: LockedOrder
  refund: Refund
  /** The part that was booked on the order. */
  orderMinor: bigint
}

/**
 * Books `unbookedMinor` of a succeeded refund. A refund by the store is booked on the order. Any other refund is booked
 * first on the owed surplus of its payment, then on the order. The rest is its excess: the gateway paid more than was
 * left, e.g. because a dispute was lost while the refund was in progress.
 */
export async function bookRefund(
  tx: StoreTx,
  order: LockedOrder,
  refund: Refund,
  unbookedMinor: bigint,
): Promise<Booking> {
  const surplus = await findSurplus(tx, refund)
  const { surplusMinor, orderMinor, excessMinor } = splitBooking(unbookedMinor, {
    surplusMinor: surplus?.owedMinor ?? 0n,
    orderMinor: (await paysOrder(tx, order, refund)) ? order.refundableMinor : 0n,
  })
  const changes = {
    surplusId: surplus?.id ?? refund.surplusId,
    surplusMinor: refund.surplusMinor + surplusMinor,
    excessMinor,
  }
  await Refund.in(tx).findById(refund.id).patch(changes)
  const booked = refund.with(changes)
  if (surplus) await recordReturned(tx, surplus.id, surplusMinor)
  if (orderMinor === 0n) return { order, refund: booked, orderMinor }
  const refunded = await bookRefundedAmount(tx, order, orderMinor)
  // When a refund by the gateway was inserted, it withdrew vouchers for the expected amount. The amount can be larger
  // now, e.g. because another refund returned the surplus, or because staff accepted the mismatched payment.
  if (refund.origin !== 'store') await withdrawFromBoughtVouchers(tx, refunded, booked)
  return { order: refunded, refund: booked, orderMinor }
}

/**
 * Returns the surplus that a refund returns: its own, or that of its payment when the gateway or a bank made the
 * refund.
 */
async function findSurplus(tx: StoreTx, { origin, surplusId, paymentId }: Refund) {
  if (origin === 'surplus' && surplusId) return Surplus.in(tx).findById(surplusId)
  return paymentId && origin !== 'store' ? findOwedSurplus(tx, paymentId) : undefined
}
