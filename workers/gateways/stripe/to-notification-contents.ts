import type Stripe from 'stripe'
import type { SetupNotification } from '#shared/payments/notifications/apply-setup-notification.ts'
import { GATEWAY_FORMATS } from '#shared/payments/notifications/gateway-formats.ts'
import type { SavedNotification } from '#shared/payments/notifications/saved-notification.ts'
import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import type { PaymentNotification } from '#shared/settlement/apply-payment-notification.ts'
import { toGatewayRefund, toPaymentStatus } from './stripe-objects.ts'
import { toShortText } from './stripe-values.ts'

/**
 * The contents of a notification. It has no status of a dispute: that is read at the gateway, because notifications
 * arrive in any sequence.
 */
export type NotificationContents =
  | { kind: 'payment'; payment: PaymentNotification }
  | { kind: 'setup'; setup: SetupNotification }
  | { kind: 'refund'; refund: GatewayRefund }
  | { kind: 'dispute'; reference: string; paymentReference: string | null }
  /** A refund of a charge without a payment intent. It is never a refund of our payments. */
  | { kind: 'foreign' }

const { handledTypes } = GATEWAY_FORMATS[CARD_PROVIDER]
type EventType = (typeof handledTypes)[number]

const isHandled = (type: string): type is EventType => (handledTypes as readonly string[]).includes(type)

/** Converts the object of a notification that Stripe has sent. */
export function toNotificationContents({ type, payload }: SavedNotification): NotificationContents {
  if (!isHandled(type)) throw new Error(`A saved notification has the unhandled type ${type}`)
  switch (type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled':
    case 'payment_intent.payment_failed':
      return {
        kind: 'payment',
        payment: {
          ...toPaymentNotification(payload as Stripe.PaymentIntent),
          isDecline: type === 'payment_intent.payment_failed',
        },
      }
    case 'setup_intent.succeeded':
    case 'setup_intent.canceled':
    case 'setup_intent.setup_failed':
      return {
        kind: 'setup',
        setup: {
          ...toSetupNotification(payload as Stripe.SetupIntent),
          isDecline: type === 'setup_intent.setup_failed',
        },
      }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed': {
      const refund = toGatewayRefund(payload as Stripe.Refund)
      return refund ? { kind: 'refund', refund } : { kind: 'foreign' }
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed': {
      const { id: reference, payment_intent: payment } = payload as Stripe.Dispute
      return { kind: 'dispute', reference, paymentReference: typeof payment === 'string' ? payment : null }
    }
  }
}

const toPaymentNotification = (intent: Stripe.PaymentIntent): Omit<PaymentNotification, 'isDecline'> => ({
  provider: CARD_PROVIDER,
  reference: intent.id,
  metadataPaymentId: intent.metadata?.payment_id ?? null,
  clientSecret: intent.client_secret,
  outcome: toPaymentStatus(intent),
})

const toSetupNotification = ({
  id,
  last_setup_error: error,
}: Stripe.SetupIntent): Omit<SetupNotification, 'isDecline'> => ({
  provider: CARD_PROVIDER,
  reference: id,
  declineReason: toShortText(error?.decline_code ?? error?.code),
})
