import { type Static, Type } from 'typebox'
import {
  Money,
  Nullable,
  Shape,
  Timestamp,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { giftProperties, viewGift } from './gift.ts'
import { VoucherThemeView, viewTheme } from './theme-view.ts'
import type { Voucher } from './voucher.ts'
import type { VoucherTheme } from './voucher-theme.ts'

/** A voucher with its theme, where it has one. */
export interface WholeVoucher {
  voucher: Voucher
  theme: VoucherTheme | null
}

/** Interface document, section 2; the currency and the end of its time besides. */
export const VoucherView = Shape({
  id: Uuid,
  order_id: Nullable(Uuid),
  code: Type.String(),
  ...giftProperties,
  amount: Money,
  is_active: Type.Boolean(),
  created_at: Timestamp,
  voucher_theme: Nullable(VoucherThemeView),
  amount_remaining: Type.Number({ description: 'Amount − spent − reserved by orders that wait for payment' }),
  currency: Type.String({ description: 'ISO 4217' }),
  expires_at: Nullable(Timestamp),
})
export type VoucherView = Static<typeof VoucherView>

/** A voucher as staff see it, and as events tell it. */
export const viewVoucher = ({ voucher, theme }: WholeVoucher): VoucherView => ({
  id: voucher.id,
  order_id: voucher.orderId,
  code: voucher.code,
  ...viewGift(voucher),
  amount: toMajor(voucher.amountMinor, voucher.currency),
  is_active: voucher.isActive,
  created_at: toTimestamp(voucher.createdAt),
  voucher_theme: theme && viewTheme(theme),
  amount_remaining: toMajor(voucher.remainingMinor, voucher.currency),
  currency: voucher.currency,
  expires_at: toTimestampOrNull(voucher.expiresAt),
})
