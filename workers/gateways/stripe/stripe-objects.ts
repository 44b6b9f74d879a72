import type Stripe from 'stripe'
import type { GatewayDispute } from '#shared/disputes/record-dispute.ts'
import type { DisputeStatus } from '#shared/disputes/states.ts'
import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import type { StatusAtGateway } from '#shared/payments/status-at-gateway.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { REFUND_STATUSES } from '#shared/refunds/states.ts'
import {
  type CardDetails,
  GatewayRefusal,
  type OpenedIntent,
  type RefundReceipt,
  type SavedCardCharge,
  type SetupStatus,
} from '#workers/gateways/payments.ts'
import { fromRefundedUnits, fromStripeUnits } from './stripe-units.ts'
import { toCardDetails, toReference, toSecret, toShortText, toTime } from './stripe-values.ts'

type Intent = Pick<
  Stripe.PaymentIntent,
  'id' | 'status' | 'amount_received' | 'currency' | 'cancellation_reason' | 'last_payment_error'
>

const OPEN_STATUSES: ReadonlySet<unknown> = new Set([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'processing',
  'requires_capture',
])

/** Converts a payment intent of Stripe's responses and notifications. */
export function toPaymentStatus(intent: Intent): StatusAtGateway {
  const { id, status, amount_received: units, last_payment_error: error } = intent
  const reference = toReference(id)
  if (status === 'succeeded')
    return {
      status: 'captured',
      reference,
      amountMinor: fromStripeUnits(units, intent.currency),
      currency: intent.currency.toUpperCase(),
    }
  if (status === 'canceled') return { status: 'canceled', reason: toShortText(intent.cancellation_reason) }
  if (!OPEN_STATUSES.has(status)) throw new Error(`The payment ${reference} has the unknown status ${status}`)
  return { status: 'open', reason: toShortText(error?.decline_code ?? error?.code) }
}

/** Converts a payment or setup intent that its buyer completes. */
export function toOpened({
  id,
  client_secret: clientSecret,
}: Pick<Stripe.PaymentIntent | Stripe.SetupIntent, 'id' | 'client_secret'>): OpenedIntent {
  if (!clientSecret) throw new Error(`The intent ${id} has no client secret`)
  return { reference: toReference(id), clientSecret: toSecret(clientSecret) }
}

/**
 * Returns the reference of the saved card that paid an intent of a response or notification; null if there is none.
 * Unless the response expands the payment method, only a card that this payment itself saved is recognized.
 */
export function toSavedCardReference({
  status,
  customer,
  setup_future_usage: usage,
  payment_method: method,
}: Pick<Stripe.PaymentIntent, 'status' | 'customer' | 'setup_future_usage' | 'payment_method'>):
  | string
  | null {
  if (status !== 'succeeded') return null
  const isSaved = method instanceof Object ? method.customer : customer && usage
  return isSaved ? idOf(method) : null
}

/** Converts the payment intent of a charge of a saved card. */
export function toSavedCardCharge(intent: Stripe.PaymentIntent): SavedCardCharge {
  const { status, last_payment_error: error } = intent
  const opened = toOpened(intent)
  if (status === 'succeeded') return { ...opened, status: 'succeeded' }
  if (status === 'processing') return { ...opened, status: 'processing' }
  const declineCode = toShortText(error?.decline_code ?? error?.code)
  if (status === 'requires_action' || error?.code === 'authentication_required')
    return { ...opened, status: 'authentication_required', declineCode: 'authentication_required' }
  if (status !== 'requires_payment_method' || !declineCode)
    throw new Error(`The charge ${intent.id} of a saved card has the unexpected status ${status}`)
  return { ...opened, status: 'declined', declineCode }
}

/** Converts a setup intent of Stripe's responses and notifications. */
export function toSetupStatus({
  id,
  status,
  payment_method,
}: Pick<Stripe.SetupIntent, 'id' | 'status' | 'payment_method'>): SetupStatus {
  if (status === 'canceled') return { status: 'canceled' }
  if (status !== 'succeeded') {
    if (!OPEN_STATUSES.has(status)) throw new Error(`The setup ${id} has the unknown status ${status}`)
    return { status: 'open' }
  }
  const cardReference = idOf(payment_method)
  if (!cardReference) throw new Error(`The setup ${id} succeeded without a payment method`)
  return { status: 'succeeded', cardReference }
}

/** Converts a card of Stripe's responses. Throws `GatewayRefusal` for another kind of payment method. */
export function toSavedCard({ id, card }: Pick<Stripe.PaymentMethod, 'id' | 'card'>): CardDetails {
  if (!card) throw new GatewayRefusal('payment_method_not_a_card', `The payment method ${id} is not a card`)
  return toCardDetails(card)
}

/** Converts the status of a refund of Stripe's responses and notifications. */
export function toReceipt(refund: Pick<Stripe.Refund, 'id' | 'status' | 'failure_reason'>): RefundReceipt {
  const status = REFUND_STATUSES.find((known) => known === refund.status)
  if (!status) throw new Error(`The refund ${refund.id} has the unknown status ${refund.status}`)
  return { reference: toReference(refund.id), status, failureReason: toShortText(refund.failure_reason) }
}

/**
 * Converts a refund of Stripe's responses and notifications. Null for a charge without a payment intent, which is never
 * ours.
 */
export function toGatewayRefund(refund: Stripe.Refund): GatewayRefund | null {
  const paymentReference = idOf(refund.payment_intent)
  if (!paymentReference) return null
  return {
    ...toReceipt(refund),
    provider: CARD_PROVIDER,
    paymentReference,
    ...fromRefundedUnits(refund.amount, refund.currency),
    currency: refund.currency.toUpperCase(),
    refundId: refund.metadata?.refund_id ?? null,
  }
}

/** Inquiries (`warning_…`) block shipments like disputes. A prevented dispute ended before any money moved. */
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

/** Converts a dispute of Stripe's notifications. Null for a charge without a payment intent, which is never ours. */
export function toGatewayDispute(dispute: Stripe.Dispute): GatewayDispute | null {
  const paymentReference = idOf(dispute.payment_intent)
  if (!paymentReference) return null
  const status = DISPUTE_STATUSES[dispute.status]
  if (!status) throw new Error(`The dispute ${dispute.id} has the unknown status ${dispute.status}`)
  const dueBy = dispute.evidence_details?.due_by
  return {
    provider: CARD_PROVIDER,
    reference: toReference(dispute.id),
    paymentReference,
    status,
    reason: toShortText(dispute.reason) ?? 'general',
    amountMinor: fromRefundedUnits(dispute.amount, dispute.currency).amountMinor,
    currency: dispute.currency.toUpperCase(),
    respondBy: dueBy ? toTime(dueBy) : null,
    openedAt: toTime(dispute.created),
  }
}

const idOf = (object: string | { id: string } | null | undefined): string | null =>
  object ? toReference(typeof object === 'string' ? object : object.id) : null
