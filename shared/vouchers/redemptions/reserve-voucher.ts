import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { canTransition } from '#shared/platform/states.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { REDEMPTION_TRANSITIONS } from '#shared/vouchers/states.ts'
import { assertCovers, assertUsable } from '#shared/vouchers/usability.ts'
import { lockVoucher } from '#shared/vouchers/voucher.ts'
import { type PayingOrder, VoucherRedemption } from '#shared/vouchers/voucher-redemption.ts'

export interface NewRedemption {
  orderId: string
  voucherId: string
  amountMinor: bigint
}

/** Reserves a part of a voucher's balance for a new order. Throws `voucher.insufficient_balance`. */
export async function reserveVoucher(tx: StoreTx, redemption: NewRedemption): Promise<void> {
  const at = now()
  await VoucherRedemption.in(tx).insert({ ...redemption, status: 'reserved', createdAt: at, updatedAt: at })
  await bookReservation(tx, redemption)
}

/**
 * Reserves again what an order has released of its voucher. The caller has locked the order. Throws `voucher.inactive`,
 * `voucher.expired`, `voucher.empty` and `voucher.insufficient_balance` when it is no longer available.
 */
export async function restoreReservation(tx: StoreTx, { id, voucherMinor }: PayingOrder): Promise<void> {
  if (voucherMinor === 0n) return
  const redemption = await VoucherRedemption.in(tx).findOne({ order_id: id })
  if (!redemption || !canTransition(REDEMPTION_TRANSITIONS, redemption.status, 'reserved')) return
  const voucher = await lockVoucher(tx, redemption.voucherId)
  assertUsable(voucher)
  assertCovers(voucher, redemption.amountMinor)
  await bookReservation(tx, redemption)
  await VoucherRedemption.in(tx).findById(redemption.id).patch({ status: 'reserved', updatedAt: now() })
}

async function bookReservation(
  tx: StoreTx,
  { voucherId, orderId, amountMinor }: Pick<NewRedemption, 'voucherId' | 'orderId' | 'amountMinor'>,
): Promise<void> {
  const booked = await bookVoucherEntry(tx, { voucherId, orderId, kind: 'reserve', amountMinor })
  if (booked === undefined) throw VoucherErrors.insufficientBalance()
}
