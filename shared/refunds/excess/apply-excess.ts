import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { bookRefund } from '../booking/book-refund.ts'
import { markRefunded } from '../booking/mark-refunded.ts'
import { isPaidBack, Refund } from '../refund.ts'

/**
 * Books the excess of earlier refunds of an order as far as the order and its surpluses have something left. Call it
 * after they have gained an amount: by a payment, by a decision about a mismatched payment or by a refund that failed.
 * Returns the changed order.
 */
export async function applyExcess(tx: StoreTx, order: LockedOrder): Promise<LockedOrder> {
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
