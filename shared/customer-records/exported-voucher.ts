import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Voucher } from '#shared/vouchers/voucher.ts'

export const ExportedVoucher = Shape({
  id: Uuid,
  order_id: Nullable(Uuid),
  amount: Money,
  amount_remaining: Money,
  currency: CurrencyCode,
  from_name: Type.String(),
  from_email: Type.String(),
  to_name: Type.String(),
  to_email: Type.String(),
  message: Type.String(),
  created_at: Timestamp,
})

export const viewExportedVoucher = (voucher: Voucher): Static<typeof ExportedVoucher> => ({
  id: voucher.id,
  order_id: voucher.orderId,
  amount: toMajor(voucher.amountMinor, voucher.currency),
  amount_remaining: toMajor(voucher.remainingMinor, voucher.currency),
  currency: voucher.currency,
  from_name: voucher.fromName,
  from_email: voucher.fromEmail,
  to_name: voucher.toName,
  to_email: voucher.toEmail,
  message: voucher.message,
  created_at: toTimestamp(voucher.createdAt),
})
