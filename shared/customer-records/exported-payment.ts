import { type Static, Type } from 'typebox'
import type { Payment } from '#shared/payments/payment.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'

export const ExportedPayment = Shape({
  id: Uuid,
  order_id: Uuid,
  provider: Type.String(),
  status: Type.String(),
  amount: Money,
  currency: CurrencyCode,
  created_at: Timestamp,
})

export const viewExportedPayment = (payment: Payment): Static<typeof ExportedPayment> => ({
  id: payment.id,
  order_id: payment.orderId,
  provider: payment.provider,
  status: payment.status,
  amount: toMajor(payment.amountMinor, payment.currency),
  currency: payment.currency,
  created_at: toTimestamp(payment.createdAt),
})
