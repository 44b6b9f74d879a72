import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller } from '#shared/platform/money.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { enqueueShortfallSettlement } from './enqueue-shortfall-settlement.ts'
import { VoucherWithdrawal } from './voucher-withdrawal.ts'

/**
 * Deducts from a voucher the refunded part of its price that had already been spent at the refund. Call it after spent
 * value has come back to the voucher, because the buyer already has this money. The caller has locked the voucher.
 */
export async function collectShortfall(tx: StoreTx, voucherId: string): Promise<void> {
  const short = await shortWithdrawals(tx, voucherId).orderBy('id')
  for (const { id, priceMinor, amountMinor } of short) {
    const { remainingMinor, orderId } = await Voucher.in(tx).findById(voucherId).throwIfNotFound()
    const shortMinor = smaller(priceMinor - amountMinor, remainingMinor)
    if (shortMinor === 0n) break
    await VoucherWithdrawal.in(tx)
      .findById(id)
      .patch({ amountMinor: amountMinor + shortMinor })
    await bookVoucherEntry(tx, { voucherId, kind: 'adjust', amountMinor: -shortMinor, orderId })
  }
  if (short.length > 0) await enqueueShortfallSettlement(tx, voucherId)
}

/** The part of a voucher's price that a refund paid back after it had been spent, in minor units. */
export interface Shortfall {
  refundId: string
  shortMinor: bigint
}

/** Returns what refunds have paid back of the price of a voucher after it had been spent. */
export const findShortfalls = async (tx: StoreTx, voucherId: string): Promise<Shortfall[]> =>
  (await shortWithdrawals(tx, voucherId)).map(({ refundId, priceMinor, amountMinor }) => ({
    refundId,
    shortMinor: priceMinor - amountMinor,
  }))

const shortWithdrawals = (tx: StoreTx, voucherId: string) =>
  VoucherWithdrawal.in(tx)
    .where({ voucher_id: voucherId, is_undone: false })
    .whereRaw('amount_minor < price_minor')
