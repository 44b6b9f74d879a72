import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { markRefunded } from '../booking/mark-refunded.ts'
import { isPaidBack, Refund } from '../refund.ts'
import { bookExcess } from './book-excess.ts'

/**
 * Books what earlier refunds exceeded, now that an order, which the caller has locked, or a surplus of it has something
 * left: another payment paid the order, staff decided about a mismatched payment that the gateway had refunded before,
 * or the bank returned another refund. Without excess or anything left it changes nothing. Returns the changed order.
 */
export async function applyExcess(tx: StoreTx, order: Order): Promise<Order> {
  const exceeding = await Refund.in(tx)
    .where('order_id', order.id)
    .where('excess_minor', '>', 0)
    .where(isPaidBack)
    .orderBy('id')
  let current = order
  let isBooked = false
  for (const refund of exceeding) {
    const booking = await bookExcess(tx, current, refund)
    current = booking.orderMinor > 0n ? await markRefunded(tx, booking.order, booking.refund) : booking.order
    isBooked ||= booking.refund.excessMinor < refund.excessMinor
  }
  if (isBooked) await emitOrderEvents(tx, order.id, [orderUpdated])
  return current
}
