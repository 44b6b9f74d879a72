import { inAnyLanguage, List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { VoucherTheme } from '#shared/vouchers/voucher-theme.ts'

export const VOUCHER_THEMES = new List({
  sorts: { created_at: 'created_at', updated_at: 'updated_at' },
  order: 'created_at',
  searches: 'Part of a name',
  text: [inAnyLanguage('name_i18n')],
})

/** Returns one page of the store's themes, by default oldest first. */
export const listVoucherThemes = (tx: StoreTx, filter: ListFilter) =>
  VOUCHER_THEMES.page(VoucherTheme.in(tx), filter)
