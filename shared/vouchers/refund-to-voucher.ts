import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookEntry } from './book-entry.ts'
import { type PayingOrder, VoucherRedemption } from './voucher-redemption.ts'

const findCaptured = (tx: StoreTx, orderId: string) =>
  VoucherRedemption.in(tx).findOne({ order_id: orderId, state: 'captured' })

/** What of an order was paid with a voucher and has not gone back on it. Minor units. */
export async function leftToRefund(tx: StoreTx, { id, voucherMinor }: PayingOrder): Promise<bigint> {
  const captured = voucherMinor > 0n ? await findCaptured(tx, id) : undefined
  return captured ? captured.amountMinor - captured.refundedMinor : 0n
}

/**
 * Puts money of an order, which the caller has locked, back on the voucher that paid it: also on one that is not active
 * any more, where it waits until staff make it so.
 */
export async function refundToVoucher(tx: StoreTx, orderId: string, amountMinor: bigint): Promise<void> {
  const redemption = await findCaptured(tx, orderId)
  if (!redemption || redemption.amountMinor - redemption.refundedMinor < amountMinor)
    throw new Error(`The voucher of the order ${orderId} did not pay ${amountMinor}`)
  const { id, voucherId } = redemption
  const refundedMinor = redemption.refundedMinor + amountMinor
  await VoucherRedemption.in(tx).findById(id).patch({ refundedMinor, updatedAt: now() })
  const booked = await bookEntry(tx, { voucherId, orderId, kind: 'refund', amountMinor })
  if (booked === undefined) throw new Error(`The voucher ${voucherId} has not spent ${amountMinor}`)
}
