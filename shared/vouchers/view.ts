import { type Static, Type } from 'typebox'
import { Metadata } from '#shared/platform/http/metadata.ts'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { codeEnd } from '#shared/vouchers/codes/code.ts'
import { giftProperties, viewGift } from './gift.ts'
import type { VoucherWithTheme } from './voucher.ts'
import { VoucherThemeView, viewVoucherTheme } from './voucher-theme.ts'

/** A gift voucher with its balance. */
export const VoucherView = Shape({
  id: Uuid,
  order_id: Nullable(Uuid),
  code: Type.String(),
  ...giftProperties,
  amount: Money,
  is_active: Type.Boolean(),
  is_disputed: Type.Boolean({
    description:
      'Whether a dispute of its order (`order_id`) blocks it. Either the bank has not decided yet, or it has paid ' +
      'the buyer back for the order that the voucher was issued for. In the second case, deactivate the voucher or ' +
      'remove its `order_id`.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  voucher_theme: Nullable(VoucherThemeView),
  amount_remaining: Type.Number({ description: 'Amount − spent − reserved by orders that await payment' }),
  currency: CurrencyCode,
  expires_at: Nullable(Timestamp),
  metadata: Metadata,
})
export type VoucherView = Static<typeof VoucherView>

/** Returns a voucher for staff. */
export const viewVoucher = ({ voucher, theme }: VoucherWithTheme): VoucherView => ({
  id: voucher.id,
  order_id: voucher.orderId,
  code: voucher.code,
  ...viewGift(voucher),
  amount: toMajor(voucher.amountMinor, voucher.currency),
  is_active: voucher.isActive,
  is_disputed: voucher.isDisputed,
  created_at: toTimestamp(voucher.createdAt),
  updated_at: toTimestamp(voucher.updatedAt),
  voucher_theme: theme && viewVoucherTheme(theme),
  amount_remaining: toMajor(voucher.remainingMinor, voucher.currency),
  currency: voucher.currency,
  expires_at: toTimestampOrNull(voucher.expiresAt),
  metadata: voucher.metadata,
})

/** Returns a voucher with only the end of its code, because the whole code gives access to the money. */
export const viewVoucherWithoutCode = (whole: VoucherWithTheme): VoucherView => ({
  ...viewVoucher(whole),
  code: `…${codeEnd(whole.voucher.code)}`,
})

const { code, amount, amount_remaining, currency, expires_at, voucher_theme } = VoucherView.properties

/** A voucher as anyone who knows its code sees it, without names and addresses of giver and recipient. */
export const VoucherBalanceView = Shape({
  code,
  amount,
  amount_remaining,
  currency,
  expires_at,
  voucher_theme,
})

export function viewBalance(whole: VoucherWithTheme): Static<typeof VoucherBalanceView> {
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
