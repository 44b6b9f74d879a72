import { nextUpdatedAt, nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { VoucherErrors } from './errors.ts'
import { Voucher } from './voucher.ts'
import { VoucherTheme } from './voucher-theme.ts'

export interface ThemeInput {
  nameI18n: Record<string, string>
  image: string
}

export const createTheme = (tx: StoreTx, draft: ThemeInput): PromiseLike<VoucherTheme> => {
  const at = now()
  return VoucherTheme.in(tx).insert({ ...draft, createdAt: at, updatedAt: at })
}

/** Updates a theme, also for existing vouchers, which show it. Throws 412 `resource.changed`. */
export async function updateTheme(
  tx: StoreTx,
  themeId: string,
  changes: Partial<ThemeInput>,
  ifMatch: string | undefined,
): Promise<VoucherTheme> {
  const theme = await lockTheme(tx, themeId, 'update')
  assertUnchanged(theme, ifMatch)
  await Voucher.in(tx)
    .where('voucher_theme_id', themeId)
    .patch({ updatedAt: nextUpdatedAtSql() as never })
  return VoucherTheme.in(tx).patchAndFetchById(themeId, { ...changes, updatedAt: nextUpdatedAt(theme) })
}

/** Deletes a theme that no voucher has. Throws `voucher.theme_in_use`. */
export async function deleteTheme(tx: StoreTx, themeId: string): Promise<void> {
  // A full lock: it conflicts with the foreign-key lock of a voucher that gets the theme at the same time.
  await lockTheme(tx, themeId, 'deletion')
  if (await Voucher.in(tx).findOne('voucher_theme_id', themeId)) throw VoucherErrors.themeInUse()
  await VoucherTheme.in(tx).deleteById(themeId)
}

async function lockTheme(tx: StoreTx, themeId: string, before: 'update' | 'deletion'): Promise<VoucherTheme> {
  const query = VoucherTheme.in(tx).findById(themeId)
  const theme = await (before === 'update' ? query.forNoKeyUpdate() : query.forUpdate())
  if (!theme) throw CommonErrors.notFound()
  return theme
}
