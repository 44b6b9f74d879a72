import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller } from '#shared/platform/money.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { lockVoucher, Voucher } from '#shared/vouchers/voucher.ts'
import { enqueueShortfallSettlement } from './enqueue-shortfall-settlement.ts'
import { findWithdrawalsInForce, VoucherWithdrawal } from './voucher-withdrawal.ts'

/**
 * Gives vouchers back the value that a failed refund withdrew. `keptMinor` of their prices stays paid back and
 * withdrawn. A repeat changes nothing. Returns whether it gave any back.
 */
export async function undoWithdrawals(tx: StoreTx, refundId: string, keptMinor: bigint): Promise<boolean> {
  let restMinor = keptMinor
  let isUndone = false
  for (const withdrawal of await findWithdrawalsInForce(tx, refundId)) {
    const priceMinor = smaller(restMinor, withdrawal.priceMinor)
    restMinor -= priceMinor
    if (priceMinor === withdrawal.priceMinor) continue
    await undoWithdrawal(tx, withdrawal, priceMinor)
    isUndone = true
  }
  return isUndone
}

/** Reduces a withdrawal to a price, which can be 0. */
async function undoWithdrawal(
  tx: StoreTx,
  { id, voucherId, amountMinor: withdrawnMinor, priceMinor: wholeMinor }: VoucherWithdrawal,
  priceMinor: bigint,
): Promise<void> {
  const voucher = await lockVoucher(tx, voucherId)
  // The voucher has a price again, so activate it if any refund deactivated it. A deactivation by staff stays.
  const ending = { voucher_id: voucherId, ends_use: true, is_undone: false }
  const wasEnded = (await VoucherWithdrawal.in(tx).where(ending).resultSize()) > 0
  const reducedMinor = smaller(priceMinor, withdrawnMinor)
  const changes = { priceMinor, amountMinor: reducedMinor, endsUse: false }
  await VoucherWithdrawal.in(tx)
    .findById(id)
    .patch(priceMinor > 0n ? changes : { isUndone: true })
  if (wasEnded)
    await Voucher.in(tx)
      .findById(voucherId)
      .patch({ isActive: true, updatedAt: nextUpdatedAt(voucher) })
  const { orderId } = voucher
  const amountMinor = withdrawnMinor - reducedMinor
  if (amountMinor > 0n) await bookVoucherEntry(tx, { voucherId, kind: 'adjust', amountMinor, orderId })
  if (withdrawnMinor < wholeMinor) await enqueueShortfallSettlement(tx, voucherId)
}
