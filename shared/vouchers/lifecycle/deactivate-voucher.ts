import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockVoucher, Voucher } from '#shared/vouchers/voucher.ts'

/** Deactivates a voucher. Reservations of orders and the ledger stay. */
export async function deactivateVoucher(tx: StoreTx, voucherId: string): Promise<void> {
  const voucher = await lockVoucher(tx, voucherId)
  await Voucher.in(tx)
    .findById(voucherId)
    .patch({ isActive: false, updatedAt: nextUpdatedAt(voucher) })
}
