import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { type PayingOrder, VoucherRedemption } from '#shared/vouchers/voucher-redemption.ts'
import { collectShortfall } from './collect-shortfall.ts'

/** A buyer has at least this time to spend a refund. */
const MIN_LIFE_MS = 30 * DAY_MS

const findCaptured = (tx: StoreTx, orderId: string) =>
  VoucherRedemption.in(tx).findOne({ order_id: orderId, status: 'captured' })

/** Returns the part of an order that its voucher paid, less refunds to the voucher, in minor units. */
export async function unrefundedVoucherMinor(
  tx: StoreTx,
  { id, voucherMinor }: PayingOrder,
): Promise<bigint> {
  const captured = voucherMinor > 0n ? await findCaptured(tx, id) : undefined
  return captured ? captured.amountMinor - captured.refundedMinor : 0n
}

/**
 * Refunds a part of an order to the voucher that paid it. The caller has locked the order. A voucher that has expired,
 * or expires within 30 days, then expires in 30 days. Its expired balance stays lost. An inactive voucher gets the
 * money too, and can be spent once staff activate it.
 */
export async function refundToVoucher(tx: StoreTx, orderId: string, amountMinor: bigint): Promise<void> {
  const redemption = await findCaptured(tx, orderId)
  if (!redemption || redemption.amountMinor - redemption.refundedMinor < amountMinor)
    throw new Error(`The voucher of the order ${orderId} has paid less than ${amountMinor}`)
  const { id, voucherId } = redemption
  const refundedMinor = redemption.refundedMinor + amountMinor
  await VoucherRedemption.in(tx).findById(id).patch({ refundedMinor, updatedAt: now() })
  await deductExpired(tx, voucherId)
  const booked = await bookVoucherEntry(tx, { voucherId, orderId, kind: 'refund', amountMinor })
  if (booked === undefined) throw new Error(`The voucher ${voucherId} has spent less than ${amountMinor}`)
  await extendLife(tx, voucherId)
  await collectShortfall(tx, voucherId)
}

/** Deducts the expired balance of a voucher, because a refund makes only its own amount spendable again. */
async function deductExpired(tx: StoreTx, voucherId: string): Promise<void> {
  const expired = await Voucher.in(tx).findById(voucherId).where('expires_at', '<=', now()).forNoKeyUpdate()
  if (expired && expired.remainingMinor > 0n)
    await bookVoucherEntry(tx, { voucherId, kind: 'adjust', amountMinor: -expired.remainingMinor })
}

/** Lets a voucher expire in 30 days at the earliest. The ledger entry has changed `updated_at`. */
const extendLife = (tx: StoreTx, voucherId: string): PromiseLike<number> => {
  const expiresAt = inMs(MIN_LIFE_MS)
  return Voucher.in(tx).findById(voucherId).where('expires_at', '<', expiresAt).patch({ expiresAt })
}
