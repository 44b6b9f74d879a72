import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import { narrowToMatches } from '#shared/platform/db/narrow-to-matches.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { UpdatedQuery } from '#shared/platform/http/query-parameters.ts'
import { Uuid } from '#shared/platform/http/schema.ts'
import { searchedWords } from '#shared/platform/words.ts'
import { hashCode } from '#shared/vouchers/codes/sealed-code.ts'
import { Voucher, type VoucherWithTheme, withThemes } from './voucher.ts'
import { VOUCHER_WORDS } from './voucher-words.ts'

export const VOUCHERS = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at', amount: 'amount_minor' },
  order: '-created_at',
  searches:
    'A whole code in any form, which finds its voucher alone; or the last four letters of one, and beginnings of up ' +
    'to ten words of names and e-mail addresses',
  filters: {
    is_active: Type.Optional(Type.Boolean()),
    order_id: Type.Optional(Uuid),
    voucher_theme_id: Type.Optional(Uuid),
    ...UpdatedQuery,
  },
})

export type VoucherFilter = FilterOf<typeof VOUCHERS>

/** Returns one page of the matching vouchers, and their number. */
export async function listVouchers(tx: StoreTx, filter: VoucherFilter): Promise<Page<VoucherWithTheme>> {
  const wholeCode = await findWholeCode(tx, filter)
  const { q, ...others } = filter
  const query = matchingVouchers(tx, others, wholeCode)
  if (q !== undefined && !wholeCode) await narrowToMatches(query, searchedIds(tx, q))
  const { results, total } = await VOUCHERS.page(query, filter)
  return { results: await withThemes(tx, results), total }
}

/** Returns the id of the voucher whose whole code a filter searches for, if any. */
export async function findWholeCode(tx: StoreTx, { q }: VoucherFilter): Promise<string | undefined> {
  const codeHash = q === undefined ? null : await hashCode(tx, q)
  const voucher = codeHash && (await Voucher.in(tx).findOne('code_hash', codeHash).select('id'))
  return voucher?.id
}

/**
 * Returns a query of the vouchers that match the filters of vouchers, for a search by a whole code only that voucher.
 * `VOUCHERS` adds the filters that every list has.
 */
export function matchingVouchers(tx: StoreTx, filter: VoucherFilter, wholeCode: string | undefined) {
  const { is_active, order_id, voucher_theme_id, q } = filter
  const query = Voucher.in(tx)
  if (is_active !== undefined) query.where('is_active', is_active)
  if (order_id) query.where('order_id', order_id)
  if (voucher_theme_id) query.where('voucher_theme_id', voucher_theme_id)
  if (wholeCode) query.where('id', wholeCode)
  else if (q !== undefined) query.whereIn('id', searchedIds(tx, q))
  return query
}

const searchedIds = (tx: StoreTx, q: string) => VOUCHER_WORDS.idsWithWords(tx, searchedWords(q))
