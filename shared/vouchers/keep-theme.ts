import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { now } from '#shared/platform/time/clock.ts'
import { VoucherErrors } from './errors.ts'
import { Voucher } from './voucher.ts'
import { VoucherTheme } from './voucher-theme.ts'

export interface ThemeDraft {
  nameI18n: Record<string, string>
  image: string
}

/** Makes a theme for vouchers. */
export const createTheme = (tx: StoreTx, draft: ThemeDraft): PromiseLike<VoucherTheme> => {
  const at = now()
  return VoucherTheme.in(tx).insert({ ...draft, createdAt: at, updatedAt: at })
}

/** Changes a theme, for the vouchers that have it, too. Throws 412 `resource.changed`. */
export async function changeTheme(
  tx: StoreTx,
  themeId: string,
  changes: Partial<ThemeDraft>,
  ifMatch: string | undefined,
): Promise<VoucherTheme> {
  const theme = await lockTheme(tx, themeId, 'update')
  assertUnchanged(theme, ifMatch)
  return VoucherTheme.in(tx).patchAndFetchById(themeId, { ...changes, updatedAt: nextUpdatedAt(theme) })
}

/** Deletes a theme that no voucher has. Throws `voucher.theme_in_use`. */
export async function deleteTheme(tx: StoreTx, themeId: string): Promise<void> {
  // A full lock: a voucher that is being given the theme right now waits for the end of this, or is waited for.
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
