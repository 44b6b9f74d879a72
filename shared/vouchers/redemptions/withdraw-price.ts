import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { lockVoucher, Voucher } from '#shared/vouchers/voucher.ts'
import type { BoughtVoucher } from './bought-voucher.ts'
import { enqueueShortfallSettlement } from './enqueue-shortfall-settlement.ts'
import { VoucherWithdrawal } from './voucher-withdrawal.ts'

/**
 * Deducts the refunded price of a bought voucher from its balance, as far as it is unspent. Call it when the refund
 * starts, so that the money cannot be both spent and refunded. A voucher whose whole price is refunded is deactivated.
 */
export async function withdrawPrice(
  tx: StoreTx,
  { id: voucherId, unwithdrawnMinor }: BoughtVoucher,
  { refundId, priceMinor, actor }: { refundId: string; priceMinor: bigint; actor: string },
): Promise<void> {
  const voucher = await lockVoucher(tx, voucherId)
  const amountMinor = smaller(priceMinor, voucher.remainingMinor)
  const isWhole = priceMinor === unwithdrawnMinor
  const { isActive, orderId } = voucher
  const endsUse = isActive && isWhole
  // A refund that is booked in parts also withdraws in parts.
  const earlier = await VoucherWithdrawal.in(tx).findOne({ refund_id: refundId, voucher_id: voucherId })
  if (earlier)
    await VoucherWithdrawal.in(tx)
      .findById(earlier.id)
      .patch({
        priceMinor: earlier.priceMinor + priceMinor,
        amountMinor: earlier.amountMinor + amountMinor,
        endsUse: earlier.endsUse || endsUse,
      })
  else
    await VoucherWithdrawal.in(tx).insert({
      refundId,
      voucherId,
      priceMinor,
      amountMinor,
      endsUse,
      createdAt: now(),
    })
  if (isWhole)
    await Voucher.in(tx)
      .findById(voucherId)
      .patch({ isActive: false, updatedAt: nextUpdatedAt(voucher) })
  if (amountMinor > 0n)
    await bookVoucherEntry(tx, { voucherId, kind: 'adjust', amountMinor: -amountMinor, orderId, actor })
  if (amountMinor < priceMinor) await enqueueShortfallSettlement(tx, voucherId)
}
