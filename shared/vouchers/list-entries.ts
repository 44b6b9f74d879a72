import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findVoucher } from './find-voucher.ts'
import { VoucherEntry } from './voucher-entry.ts'

/** One page of a voucher's ledger, newest first, with the currency it is kept in. Unknown voucher: 404. */
export async function listEntries(
  tx: StoreTx,
  voucherId: string,
  { page, page_size }: Paged,
): Promise<Page<VoucherEntry> & { currency: string }> {
  const { voucher } = await findVoucher(tx, voucherId)
  const { results, total } = await VoucherEntry.in(tx)
    .where('voucher_id', voucherId)
    .orderBy('number', 'desc')
    .page(page - 1, page_size)
  return { results, total, currency: voucher.currency }
}
