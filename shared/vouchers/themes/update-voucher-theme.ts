import { nextUpdatedAt, nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { consumeStoredBytesIn } from '#shared/platform/throttle/limit-stored-bytes.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { lockVoucherTheme, type ThemeInput, VoucherTheme } from '#shared/vouchers/voucher-theme.ts'

/** The bytes that an update of one voucher's `updatedAt` writes, with its index entries. */
const BYTES_PER_VOUCHER = 1_200

/**
 * Updates a theme. Existing vouchers show the change. Throws `resource.changed`, and 429 past LIMIT_STORED_MB, because
 * it writes all vouchers of the theme.
 */
export async function updateVoucherTheme(
  tx: StoreTx,
  themeId: string,
  changes: Partial<ThemeInput>,
  ifMatch: string | undefined,
): Promise<VoucherTheme> {
  const theme = await lockVoucherTheme(tx, themeId, 'update')
  assertUnchanged(theme, ifMatch)
  const vouchers = await Voucher.in(tx).where('voucher_theme_id', themeId).resultSize()
  await consumeStoredBytesIn(tx, 'staff', vouchers * BYTES_PER_VOUCHER)
  await Voucher.in(tx).where('voucher_theme_id', themeId).patch({ updatedAt: nextUpdatedAtSql() })
  return VoucherTheme.in(tx).patchAndFetchById(themeId, { ...changes, updatedAt: nextUpdatedAt(theme) })
}
