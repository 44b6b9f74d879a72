import { nextUpdatedAt, nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { lockTheme, type ThemeInput, VoucherTheme } from '#shared/vouchers/voucher-theme.ts'

/** Updates a theme. Existing vouchers show the change. Throws `resource.changed`. */
export async function updateTheme(
  tx: StoreTx,
  themeId: string,
  changes: Partial<ThemeInput>,
  ifMatch: string | undefined,
): Promise<VoucherTheme> {
  const theme = await lockTheme(tx, themeId, 'update')
  assertUnchanged(theme, ifMatch)
  await Voucher.in(tx).where('voucher_theme_id', themeId).patch({ updatedAt: nextUpdatedAtSql() })
  return VoucherTheme.in(tx).patchAndFetchById(themeId, { ...changes, updatedAt: nextUpdatedAt(theme) })
}
