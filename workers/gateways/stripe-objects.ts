import type Stripe from 'stripe'
import type { GatewayDispute } from '#shared/disputes/record-dispute.ts'
import type { DisputeStatus } from '#shared/disputes/states.ts'
import type { StatusAtGateway } from '#shared/payments/apply-status.ts'
import type { GatewayRefund } from '#shared/refunds/book-gateway-refund.ts'
import type { RefundReceipt } from './payments.ts'
import { fromRefundedUnits, fromStripeUnits } from './stripe-units.ts'

/** The provider of every object that this file converts. */
const provider = 'stripe'

type Intent = Pick<
  Stripe.PaymentIntent,
  'id' | 'status' | 'amount_received' | 'currency' | 'cancellation_reason' | 'last_payment_error'
>

/** Converts a payment intent of Stripe's responses and events. */
export function toStatus(intent: Intent): StatusAtGateway {
  const { id: reference, status, amount_received: units, last_payment_error: error } = intent
  if (status === 'succeeded')
    return {
      status: 'captured',
      reference,
      amountMinor: fromStripeUnits(units, intent.currency),
      currency: intent.currency.toUpperCase(),
    }
  if (status === 'canceled') return { status: 'canceled', reason: intent.cancellation_reason }
  return { status: 'open', reason: error?.decline_code ?? error?.code ?? null }
}

const REFUND_STATUSES = ['succeeded', 'pending', 'requires_action', 'failed', 'canceled'] as const

/** Converts the status of a refund of Stripe's responses and events. */
export function toReceipt(refund: Pick<Stripe.Refund, 'id' | 'status' | 'failure_reason'>): RefundReceipt {
  const status = REFUND_STATUSES.find((known) => known === refund.status)
  if (!status) throw new Error(`The refund ${refund.id} has the unknown status ${refund.status}`)
  return { reference: refund.id, status, failureReason: refund.failure_reason ?? null }
}

/** Converts a refund of Stripe's responses and events. Null for one of a charge without a payment intent: never ours. */
export function toGatewayRefund(refund: Stripe.Refund): GatewayRefund | null {
  const paymentReference = idOf(refund.payment_intent)
  if (!paymentReference) return null
  return {
    ...toReceipt(refund),
    provider,
    paymentReference,
    ...fromRefundedUnits(refund.amount, refund.currency),
    currency: refund.currency.toUpperCase(),
    refundId: refund.metadata?.refund_id ?? null,
  }
}

/** Inquiries (`warning_…`) hold a shipment like disputes. A prevented one ended before any money moved. */
const DISPUTE_STATUSES: Record<string, DisputeStatus> = {
  warning_needs_response: 'needs_response',
  warning_under_review: 'under_review',
  warning_closed: 'closed',
  prevented: 'closed',
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
}

/** Converts a dispute of Stripe's events. Null for one of a charge without a payment intent: never ours. */
export function toGatewayDispute(dispute: Stripe.Dispute): GatewayDispute | null {
  const paymentReference = idOf(dispute.payment_intent)
  if (!paymentReference) return null
  const status = DISPUTE_STATUSES[dispute.status]
  if (!status) throw new Error(`The dispute ${dispute.id} has the unknown status ${dispute.status}`)
  const dueBy = dispute.evidence_details?.due_by
  return {
    provider,
    reference: dispute.id,
    paymentReference,
    status,
    reason: dispute.reason,
    amountMinor: fromRefundedUnits(dispute.amount, dispute.currency).amountMinor,
    currency: dispute.currency.toUpperCase(),
    respondBy: dueBy ? new Date(dueBy * 1_000) : null,
    openedAt: new Date(dispute.created * 1_000),
  }
}

const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)
