import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { lockVoucherTheme, VoucherTheme } from '#shared/vouchers/voucher-theme.ts'

/** Deletes a theme that no voucher has. Throws `voucher.theme_in_use`. */
export async function deleteVoucherTheme(tx: StoreTx, themeId: string): Promise<void> {
  // Take a full lock: the foreign key of a voucher that gets the theme at the same time waits for it.
  await lockVoucherTheme(tx, themeId, 'deletion')
  if (await Voucher.in(tx).findOne('voucher_theme_id', themeId)) throw VoucherErrors.themeInUse()
  await VoucherTheme.in(tx).deleteById(themeId)
}
