import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { VoucherTheme } from './voucher-theme.ts'

/** One page of the store's themes, oldest first. */
export const listThemes = (tx: StoreTx, { page, page_size }: Paged) =>
  VoucherTheme.in(tx)
    .orderBy('id')
    .page(page - 1, page_size)

/** A theme of the store. Unknown: 404. */
export async function findTheme(tx: StoreTx, themeId: string): Promise<VoucherTheme> {
  const theme = await VoucherTheme.in(tx).findById(themeId)
  if (!theme) throw CommonErrors.notFound()
  return theme
}
