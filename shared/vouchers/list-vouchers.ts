import { List } from '#shared/platform/db/list.ts'
import { type ListFilter, likePattern, type Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { codeKey } from '#shared/vouchers/codes/code.ts'
import { hashCode } from '#shared/vouchers/codes/sealed-code.ts'
import { Voucher, type VoucherWithTheme, withThemes } from './voucher.ts'

export const VOUCHERS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', amount: 'amount_minor' },
  order: '-created_at',
  searches: 'A whole code in any form, the last four letters of one, or part of a name or an e-mail address',
})

export interface VoucherFilter extends ListFilter {
  is_active?: boolean
  order_id?: string
  voucher_theme_id?: string
}

const MATCHES_TEXT = "concat_ws(' ', from_name, from_email, to_name, to_email) ilike ?"

/** Returns one page of the matching vouchers, and their number. */
export async function listVouchers(tx: StoreTx, filter: VoucherFilter): Promise<Page<VoucherWithTheme>> {
  const codeHash = await findSearchedCode(tx, filter)
  const { results, total } = await VOUCHERS.page(matchingVouchers(tx, filter, codeHash), filter)
  return { results: await withThemes(tx, results), total }
}

/** Returns the hash of the code that a filter searches for; null without a search. */
export const findSearchedCode = async (tx: StoreTx, { q }: VoucherFilter): Promise<Buffer | null> =>
  q ? hashCode(tx, q) : null

/**
 * Returns a query of the vouchers that match the filters of vouchers. `VOUCHERS` adds the filters that every list has.
 */
export function matchingVouchers(tx: StoreTx, filter: VoucherFilter, codeHash: Buffer | null) {
  const { is_active, order_id, voucher_theme_id, q } = filter
  const query = Voucher.in(tx)
  if (is_active !== undefined) query.where('is_active', is_active)
  if (order_id) query.where('order_id', order_id)
  if (voucher_theme_id) query.where('voucher_theme_id', voucher_theme_id)
  if (q)
    query.where((either) => {
      either.whereRaw(MATCHES_TEXT, [likePattern(q)])
      if (codeHash) either.orWhere('code_hash', codeHash)
      const end = codeKey(q)
      if (end) either.orWhere('code_end', end)
    })
  return query
}
