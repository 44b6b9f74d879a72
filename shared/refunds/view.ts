import { type Static, Type } from 'typebox'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import {
  CurrencyCode,
  Money,
  MoneyDifference,
  Nullable,
  Shape,
  Timestamp,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Refund } from './refund.ts'
import { REFUND_ORIGINS, REFUND_STATUSES } from './states.ts'

export const RefundView = Shape({
  id: Uuid,
  order_id: Uuid,
  origin: Type.Enum([...REFUND_ORIGINS], {
    description:
      '`store`: by staff or for a return. `surplus`: money that the order did not need. `gateway`: made at the ' +
      'payment gateway itself. `dispute`: taken back by the bank of the buyer',
  }),
  amount: Money,
  voucher_amount: Type.Number({
    ...Money,
    description:
      'The part that goes back to the voucher that paid. It stays there when the bank of the buyer returns the rest. ' +
      'A voucher that has expired, or expires within 30 days, then expires in 30 days',
  }),
  rounding_amount: Type.Number({
    ...MoneyDifference,
    description:
      'The amount less the exact prices: rounding to the steps of the payment gateway. May be negative',
  }),
  excess_amount: Type.Number({
    ...Money,
    description:
      'The part that was paid back beyond the rest of the order and its surpluses, e.g. because a dispute was lost ' +
      'after a refund. `amount_refunded` does not contain it: the buyer got it in addition',
  }),
  currency: CurrencyCode,
  status: Type.Enum([...REFUND_STATUSES]),
  reason: Type.String(),
  gateway_reference: Type.String(),
  failure_reason: Type.String(),
  created_at: Timestamp,
  settled_at: Nullable(Timestamp),
})
export type RefundView = Static<typeof RefundView>

/** Returns a refund as staff and order events see it. */
export const viewRefund = (refund: Refund): RefundView => ({
  id: refund.id,
  order_id: refund.orderId,
  origin: refund.origin,
  amount: toMajor(refund.amountMinor, refund.currency),
  voucher_amount: toMajor(refund.voucherAmountMinor, refund.currency),
  rounding_amount: toMajor(refund.roundingMinor, refund.currency),
  excess_amount: toMajor(refund.excessMinor, refund.currency),
  currency: refund.currency,
  status: refund.status,
  reason: toText(refund.reason),
  gateway_reference: toText(refund.gatewayReference),
  failure_reason: toText(refund.failureReason),
  created_at: toTimestamp(refund.createdAt),
  settled_at: toTimestampOrNull(refund.settledAt),
})
