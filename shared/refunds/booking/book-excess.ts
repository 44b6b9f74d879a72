import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isPaidBack, Refund } from '#shared/refunds/refund.ts'
import { bookRefund } from './book-refund.ts'
import { markRefunded } from './mark-refunded.ts'

/**
 * Books the excess of earlier refunds on an order and its surpluses, as far as these have something left. Call it when
 * they have gained an amount: after a payment, a decision about a mismatched payment, or a failed refund. Returns the
 * changed order.
 */
export async function bookExcess(tx: StoreTx, order: LockedOrder): Promise<LockedOrder> {
  const exceeding = await Refund.in(tx)
    .where('order_id', order.id)
    .where('excess_minor', '>', 0)
    .where(isPaidBack)
    .orderBy('id')
  let current = order
  let isBooked = false
  for (const refund of exceeding) {
    const booking = await bookRefund(tx, current, refund, refund.excessMinor)
    current = booking.orderMinor > 0n ? await markRefunded(tx, booking.order, booking.refund) : booking.order
    isBooked ||= booking.refund.excessMinor < refund.excessMinor
  }
  if (isBooked) await emitOrderEvents(tx, order.id, [orderUpdated])
  return current
}
