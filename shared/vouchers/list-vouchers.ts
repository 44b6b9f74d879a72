import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import { narrowToMatches } from '#shared/platform/db/narrow-to-matches.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { searchedWords } from '#shared/platform/words.ts'
import { codeKey } from '#shared/vouchers/codes/code.ts'
import { hashCode } from '#shared/vouchers/codes/sealed-code.ts'
import { Voucher, type VoucherWithTheme, withThemes } from './voucher.ts'
import { VOUCHER_WORDS } from './voucher-words.ts'

export const VOUCHERS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', amount: 'amount_minor' },
  order: '-created_at',
  searches:
    'A whole code in any form, the last four letters of one, or beginnings of words of names and e-mail addresses',
})

export interface VoucherFilter extends ListFilter {
  is_active?: boolean
  order_id?: string
  voucher_theme_id?: string
}

/** Returns one page of the matching vouchers, and their number. */
export async function listVouchers(tx: StoreTx, filter: VoucherFilter): Promise<Page<VoucherWithTheme>> {
  const codeHash = await findSearchedCode(tx, filter)
  const { q, ...others } = filter
  const query = matchingVouchers(tx, others, codeHash)
  if (q !== undefined) await narrowToMatches(query, searchedIds(tx, q, codeHash))
  const { results, total } = await VOUCHERS.page(query, filter)
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
  if (q !== undefined) query.whereIn('id', searchedIds(tx, q, codeHash))
  return query
}

// Each part has an index. A condition with `or` over subqueries would have none.
function searchedIds(tx: StoreTx, q: string, codeHash: Buffer | null) {
  const vouchers = () => tx.knex('vouchers').where('store_id', tx.storeId).select('id')
  const ids = VOUCHER_WORDS.idsWithWords(tx, searchedWords(q))
  const end = codeKey(q)
  if (end) ids.unionAll(vouchers().where('code_end', end))
  if (codeHash) ids.unionAll(vouchers().where('code_hash', codeHash))
  return ids
}
