import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { emitRedemption, voucherRedeemed, voucherReleased } from '#shared/vouchers/events.ts'
import { REDEMPTION_TRANSITIONS } from '#shared/vouchers/states.ts'
import { type PayingOrder, VoucherRedemption } from '#shared/vouchers/voucher-redemption.ts'
import { collectShortfall } from './collect-shortfall.ts'

/**
 * Captures or releases the reservation of an order. The caller has locked the order. Undefined if the order has no
 * reservation, so a repeat changes nothing.
 */
export async function endReservation(
  tx: StoreTx,
  { id: orderId, voucherMinor }: PayingOrder,
  outcome: 'captured' | 'released',
): Promise<VoucherRedemption | undefined> {
  if (voucherMinor === 0n) return undefined
  const redemption = await VoucherRedemption.in(tx).findOne({ order_id: orderId })
  if (!redemption || !canTransition(REDEMPTION_TRANSITIONS, redemption.status, outcome)) return undefined
  await VoucherRedemption.in(tx).findById(redemption.id).patch({ status: outcome, updatedAt: now() })
  const { voucherId, amountMinor } = redemption
  const kind = outcome === 'captured' ? 'capture' : 'release'
  const booked = await bookVoucherEntry(tx, { voucherId, orderId, kind, amountMinor })
  if (booked === undefined)
    throw new Error(`The voucher ${voucherId} does not hold the reservation of its order ${orderId}`)
  if (outcome === 'released') await collectShortfall(tx, voucherId)
  return redemption
}

/**
 * Captures the reservation of a paid order on its voucher. The caller has locked the order. Returns the amount in minor
 * units; 0 without a reservation, so a repeat changes nothing.
 */
export async function captureVoucher(tx: StoreTx, order: PayingOrder): Promise<bigint> {
  const redemption = await endReservation(tx, order, 'captured')
  if (!redemption) return 0n
  await emitRedemption(tx, voucherRedeemed, redemption)
  return redemption.amountMinor
}

/**
 * Releases what an unpaid order has reserved of its voucher. The caller has locked the order. A repeat changes nothing.
 * A captured amount stays captured until a refund returns it.
 */
export async function releaseVoucher(tx: StoreTx, order: PayingOrder): Promise<void> {
  const redemption = await endReservation(tx, order, 'released')
  if (redemption) await emitRedemption(tx, voucherReleased, redemption)
}
