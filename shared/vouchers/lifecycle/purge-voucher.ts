import { FOREIGN_KEY_VIOLATION, sqlState } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { lockVoucher, Voucher } from '#shared/vouchers/voucher.ts'
import { VoucherEntry } from '#shared/vouchers/voucher-entry.ts'

/**
 * Deletes a voucher and its ledger. Throws `voucher.in_use` for a voucher that was bought, used or issued for a return.
 * Foreign keys detect these uses.
 */
export async function purgeVoucher(tx: StoreTx, voucherId: string): Promise<void> {
  const { orderItemId } = await lockVoucher(tx, voucherId)
  const used = await VoucherEntry.in(tx)
    .where('voucher_id', voucherId)
    .whereNotIn('kind', ['issue', 'adjust'])
    .first()
  if (orderItemId || used) throw VoucherErrors.inUse()
  await VoucherEntry.in(tx).where('voucher_id', voucherId).delete()
  await Voucher.in(tx)
    .deleteById(voucherId)
    .catch((error) => {
      throw sqlState(error) === FOREIGN_KEY_VIOLATION ? VoucherErrors.inUse() : error
    })
}
