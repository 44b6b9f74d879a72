import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookEntry } from './book-entry.ts'
import { type PayingOrder, VoucherRedemption } from './voucher-redemption.ts'

/**
 * Ends the reservation of an order, which the caller has locked, one way or the other. Undefined when the order has
 * none any more: whoever comes second changes nothing.
 */
export async function endReservation(
  tx: StoreTx,
  { id: orderId, voucherMinor }: PayingOrder,
  outcome: 'captured' | 'released',
): Promise<VoucherRedemption | undefined> {
  if (voucherMinor === 0n) return undefined
  const redemption = await VoucherRedemption.in(tx).findOne({ order_id: orderId, state: 'reserved' })
  if (!redemption) return undefined
  await VoucherRedemption.in(tx).findById(redemption.id).patch({ state: outcome, updatedAt: now() })
  const { voucherId, amountMinor } = redemption
  const kind = outcome === 'captured' ? 'capture' : 'release'
  const booked = await bookEntry(tx, { voucherId, orderId, kind, amountMinor })
  if (booked === undefined)
    throw new Error(`The voucher ${voucherId} does not hold what its order ${orderId} has`)
  return redemption
}
