import { type Static, Type } from 'typebox'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { CARD_SETUP_STATUSES, CardSetup } from './card-setup.ts'
import type { Payment } from './payment.ts'
import type { PaymentOrSetup } from './payment-or-setup.ts'
import { PAYMENT_STATUSES } from './states.ts'
import { SURPLUS_REASONS, SURPLUS_STATUSES, type Surplus } from './surplus.ts'

const PaymentStatusView = Type.Enum([...PAYMENT_STATUSES])

/** The gateway's own library in the browser takes the client secret. */
export const BuyerPaymentView = Shape({
  id: Uuid,
  kind: Type.Enum(['payment', 'setup'], {
    description:
      'What to confirm: a payment, or a setup, which saves a card for later charges and charges nothing now',
  }),
  provider: Type.String(),
  status: Type.Enum([...new Set([...PAYMENT_STATUSES, ...CARD_SETUP_STATUSES])], {
    description: '`succeeded`: the card of a setup is saved. Payments do not have this status',
  }),
  client_secret: Type.Optional(Type.String({ description: 'Confirms the payment or setup in the browser' })),
  redirect_url: Type.Optional(Type.String()),
  expires_at: Nullable(Timestamp),
})

export type BuyerPayment = Static<typeof BuyerPaymentView>

/** Returns a payment or card setup as its buyer sees it. It has the client secret only while that is usable. */
export const viewBuyerPayment = (payment: PaymentOrSetup): BuyerPayment => ({
  id: payment.id,
  kind: payment instanceof CardSetup ? 'setup' : 'payment',
  provider: payment.provider,
  status: payment.status,
  ...(payment.clientSecret && payment.status === 'requires_action'
    ? { client_secret: payment.clientSecret }
    : {}),
  expires_at: toTimestampOrNull(payment.expiresAt),
})

export const PaymentView = Shape({
  id: Uuid,
  provider: Type.String(),
  status: PaymentStatusView,
  amount: Money,
  currency: CurrencyCode,
  amount_captured: Nullable(
    Type.Number({
      ...Money,
      description:
        'Differs from `amount` when the payment is or was `mismatched`, or staff recorded another amount',
    }),
  ),
  currency_captured: CurrencyCode,
  gateway_reference: Type.String(),
  failure_reason: Type.String(),
  created_at: Timestamp,
  captured_at: Nullable(Timestamp),
})

/** Returns a payment as staff see it. */
export const viewPayment = (payment: Payment): Static<typeof PaymentView> => ({
  id: payment.id,
  provider: payment.provider,
  status: payment.status,
  amount: toMajor(payment.amountMinor, payment.currency),
  currency: payment.currency,
  amount_captured:
    payment.capturedMinor === null
      ? null
      : toMajor(payment.capturedMinor, payment.capturedCurrency ?? payment.currency),
  currency_captured: toText(payment.capturedCurrency),
  gateway_reference: toText(payment.gatewayReference),
  failure_reason: toText(payment.failureReason),
  created_at: toTimestamp(payment.createdAt),
  captured_at: toTimestampOrNull(payment.capturedAt),
})

export const SurplusView = Shape({
  id: Uuid,
  payment_id: Uuid,
  reason: Type.Enum([...SURPLUS_REASONS]),
  status: Type.Enum([...SURPLUS_STATUSES]),
  amount: Money,
  amount_returned: Money,
  currency: CurrencyCode,
  attempts: Type.Integer({ description: 'Refunds that were started' }),
  next_attempt_at: Nullable({
    ...Timestamp,
    description: 'Null also for money that no gateway captured: staff return it',
  }),
  failure_reason: Type.String({ description: "The gateway's reason for the last refusal" }),
  created_at: Timestamp,
})

/** Returns a surplus as staff see it. */
export const viewSurplus = (surplus: Surplus): Static<typeof SurplusView> => ({
  id: surplus.id,
  payment_id: surplus.paymentId,
  reason: surplus.reason,
  status: surplus.status,
  amount: toMajor(surplus.amountMinor, surplus.currency),
  amount_returned: toMajor(surplus.returnedMinor, surplus.currency),
  currency: surplus.currency,
  attempts: surplus.attempts,
  next_attempt_at: toTimestampOrNull(surplus.nextAttemptAt),
  failure_reason: toText(surplus.failureReason),
  created_at: toTimestamp(surplus.createdAt),
})
