import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { ThemeInput } from './voucher-theme.ts'
import { VoucherTheme } from './voucher-theme.ts'

export const createTheme = (tx: StoreTx, draft: ThemeInput): PromiseLike<VoucherTheme> => {
  const at = now()
  return VoucherTheme.in(tx).insert({ ...draft, createdAt: at, updatedAt: at })
}
