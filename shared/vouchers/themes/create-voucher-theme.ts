import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type ThemeInput, VoucherTheme } from '#shared/vouchers/voucher-theme.ts'

/** Creates a theme for gift vouchers. */
export const createVoucherTheme = (tx: StoreTx, draft: ThemeInput): PromiseLike<VoucherTheme> => {
  const at = now()
  return VoucherTheme.in(tx).insert({ ...draft, createdAt: at, updatedAt: at })
}
