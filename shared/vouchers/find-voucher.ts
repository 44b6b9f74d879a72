import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { WholeVoucher } from './view.ts'
import { Voucher } from './voucher.ts'
import { VoucherTheme } from './voucher-theme.ts'

/** Vouchers already read with their themes, in their order, with one query for all themes. */
export async function withThemes(tx: StoreTx, vouchers: Voucher[]): Promise<WholeVoucher[]> {
  const ids = [...new Set(vouchers.flatMap(({ voucherThemeId }) => voucherThemeId ?? []))]
  const themes = ids.length ? await VoucherTheme.in(tx).whereIn('id', ids) : []
  return vouchers.map((voucher) => ({
    voucher,
    theme: themes.find(({ id }) => id === voucher.voucherThemeId) ?? null,
  }))
}

/** A voucher of the store by its id. Unknown: 404. */
export async function findVoucher(tx: StoreTx, voucherId: string): Promise<WholeVoucher> {
  const voucher = await Voucher.in(tx).findById(voucherId)
  if (!voucher) throw CommonErrors.notFound()
  const [whole] = await withThemes(tx, [voucher])
  return whole as WholeVoucher
}
