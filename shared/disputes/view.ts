import { type Static, Type } from 'typebox'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import type { Dispute } from './dispute.ts'
import { DISPUTE_STATUSES } from './states.ts'

export const DisputeView = Shape({
  id: Uuid,
  order_id: Uuid,
  payment_id: Uuid,
  status: Type.Enum([...DISPUTE_STATUSES]),
  reason: Type.String({ description: "The gateway's reason" }),
  amount: Money,
  currency: CurrencyCode,
  gateway_reference: Type.String(),
  respond_by: Nullable(Timestamp),
  opened_at: Timestamp,
  closed_at: Nullable(Timestamp),
})
export type DisputeView = Static<typeof DisputeView>

/** Returns a dispute as staff and order events see it. */
export const viewDispute = (dispute: Dispute): DisputeView => ({
  id: dispute.id,
  order_id: dispute.orderId,
  payment_id: dispute.paymentId,
  status: dispute.status,
  reason: dispute.reason,
  amount: toMajor(dispute.amountMinor, dispute.currency),
  currency: dispute.currency,
  gateway_reference: dispute.gatewayReference,
  respond_by: toTimestampOrNull(dispute.respondBy),
  opened_at: toTimestamp(dispute.openedAt),
  closed_at: toTimestampOrNull(dispute.closedAt),
})
