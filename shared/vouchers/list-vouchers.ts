import {
  type CreatedAtFilter,
  filterByCreatedAt,
  likePattern,
  type Page,
  type Paged,
  sortOrder,
} from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { codeKey } from './code.ts'
import { Voucher, type VoucherWithTheme, withThemes } from './voucher.ts'

export const VOUCHER_SORTS = ['created_at', '-created_at', 'amount', '-amount', 'code', '-code'] as const
export type VoucherSort = (typeof VOUCHER_SORTS)[number]

export interface VoucherFilter extends Paged, CreatedAtFilter {
  is_active?: boolean
  order_id?: string
  voucher_theme_id?: string
  /** A code in any form, or part of a name or an e-mail address. */
  q?: string
  sort: VoucherSort
}

const COLUMNS: Record<string, string> = { created_at: 'created_at', amount: 'amount_minor', code: 'code_key' }
const MATCHES_TEXT = "concat_ws(' ', from_name, from_email, to_name, to_email) ilike ?"

/** One page of the matching vouchers, and their number. */
export async function listVouchers(tx: StoreTx, filter: VoucherFilter): Promise<Page<VoucherWithTheme>> {
  const { by, direction } = sortOrder(filter.sort)
  const { results, total } = await matching(tx, filter)
    .orderBy(COLUMNS[by] ?? 'created_at', direction)
    .orderBy('id', direction)
    .page(filter.page - 1, filter.page_size)
  return { results: await withThemes(tx, results), total }
}

function matching(tx: StoreTx, filter: VoucherFilter) {
  const query = Voucher.in(tx)
  const { is_active, order_id, voucher_theme_id, q } = filter
  if (is_active !== undefined) query.where('is_active', is_active)
  if (order_id) query.where('order_id', order_id)
  if (voucher_theme_id) query.where('voucher_theme_id', voucher_theme_id)
  filterByCreatedAt(query, filter)
  if (q)
    query.where((either) => either.where('code_key', codeKey(q)).orWhereRaw(MATCHES_TEXT, [likePattern(q)]))
  return query
}
