import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findVoucher } from './voucher.ts'
import { VoucherEntry } from './voucher-entry.ts'

export const VOUCHER_ENTRIES = new List({
  sorts: { created_at: 'number', amount: 'amount_minor' },
  order: '-created_at',
  searches: 'Part of the kind or the actor',
  text: ['kind', 'actor'],
})

/**
 * Returns one page of a voucher's ledger, by default newest first, with its currency. Throws `resource.not_found` for
 * an unknown voucher.
 */
export async function listVoucherEntries(
  tx: StoreTx,
  voucherId: string,
  filter: ListFilter,
): Promise<Page<VoucherEntry> & { currency: string }> {
  const { voucher } = await findVoucher(tx, voucherId)
  const { results, total } = await VOUCHER_ENTRIES.page(
    VoucherEntry.in(tx).where('voucher_id', voucherId),
    filter,
  )
  return { results, total, currency: voucher.currency }
}
