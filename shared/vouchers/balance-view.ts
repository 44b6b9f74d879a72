import type { Static } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'
import { VoucherView, viewVoucher, type WholeVoucher } from './view.ts'

const { code, amount, amount_remaining, currency, expires_at, voucher_theme } = VoucherView.properties

/** What a voucher is worth, to whoever holds its code: not whom it is from and for. */
export const VoucherBalanceView = Shape({
  code,
  amount,
  amount_remaining,
  currency,
  expires_at,
  voucher_theme,
})

export function viewBalance(whole: WholeVoucher): Static<typeof VoucherBalanceView> {
  const view = viewVoucher(whole)
  return {
    code: view.code,
    amount: view.amount,
    amount_remaining: view.amount_remaining,
    currency: view.currency,
    expires_at: view.expires_at,
    voucher_theme: view.voucher_theme,
  }
}
