import { now } from '../platform/clock.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { endReservation } from './end-reservation.ts'
import { emitRedemption, voucherReleased } from './events.ts'
import { type PayingOrder, VoucherRedemption } from './voucher-redemption.ts'

/**
 * Gives a voucher back what an order, which the caller has locked, reserved of it and did not pay for (interface
 * document, section 3): once, however often it is asked for. What was captured stays so; that is for a refund.
 */
export async function releaseVoucher(tx: StoreTx, order: PayingOrder): Promise<void> {
  const redemption = await endReservation(tx, order, 'released')
  if (redemption) await emitRedemption(tx, voucherReleased, redemption)
}

/** The same where the reservation's time is over; one that was prolonged meanwhile stays. */
export async function releaseDueVoucher(tx: StoreTx, order: PayingOrder): Promise<void> {
  if (order.voucherMinor === 0n) return
  const due = await VoucherRedemption.in(tx)
    .findOne({ order_id: order.id, state: 'reserved' })
    .where('expires_at', '<=', now())
  if (due) await releaseVoucher(tx, order)
}
