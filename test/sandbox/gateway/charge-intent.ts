import { newId, randomText, unixNow } from './books.ts'
import { type Card, findCard, isSaved, methodIdFor } from './cards.ts'
import { cardError, missing } from './errors.ts'
import { type Context, recordEvent } from './events.ts'
import type { Charge, ErrorBody, NextAction, PaymentIntent } from './types.ts'

type Circumstances = {
  offSession: boolean
  returnUrl: string | null
  setupFutureUsage: string | null
}

/**
 * Charges a card for an intent. The charge succeeds, is declined, or requires authentication by the cardholder.
 * @throws 402 in Stripe's format when declined; the intent then waits for another payment method
 */
export function chargeIntent(context: Context, intent: PaymentIntent, method: string, how: Circumstances) {
  const card = findCard(method)
  if (!card) throw missing('PaymentMethod', method, 'payment_method', 400)
  const presented = {
    ...intent,
    payment_method: methodIdFor(method, randomText(16)),
    setup_future_usage: how.setupFutureUsage,
    last_payment_error: null,
    next_action: null,
  }
  if (asksHolder(card, method)) {
    if (how.offSession) return decline(context, presented, card, NEEDS_HOLDER)
    return askHolder(context, presented, how.returnUrl)
  }
  const declines = card.declinesLater && !(isSaved(method) || how.offSession) ? undefined : card.declines
  return declines ? decline(context, presented, card, declines) : succeed(context, presented, card)
}

/** Completes the intent after the cardholder's decision on the bank's page. */
export function finishAuthentication(context: Context, intent: PaymentIntent, agreed: boolean) {
  const card = findCard(intent.payment_method ?? '')
  if (!card || intent.status !== 'requires_action') throw missing('next_action', intent.id, 'intent', 400)
  const answered = { ...intent, next_action: null }
  return agreed ? succeed(context, answered, card) : decline(context, answered, card, NOT_AUTHENTICATED)
}

type Decline = NonNullable<Card['declines']>

const NEEDS_HOLDER: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}
const NOT_AUTHENTICATED: Decline = {
  code: 'payment_intent_authentication_failure',
  message: 'The provided PaymentMethod has failed authentication.',
}

const asksHolder = ({ asks }: Card, method: string) =>
  asks === 'always' || (asks === 'unless_saved' && !isSaved(method))

function askHolder(context: Context, intent: PaymentIntent, returnUrl: string | null) {
  const url = `${context.url}/_sandbox/payment_intents/${intent.id}/authenticate`
  const next_action: NextAction = returnUrl
    ? {
        type: 'redirect_to_url',
        redirect_to_url: { url, return_url: returnUrl },
      }
    : {
        type: 'use_stripe_sdk',
        use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url },
      }
  const asking = context.books.put('payment_intents', {
    ...intent,
    next_action,
    status: 'requires_action',
  })
  recordEvent(context, 'payment_intent.requires_action', asking)
  return asking
}

function succeed(context: Context, intent: PaymentIntent, card: Card) {
  const captured = intent.capture_method !== 'manual'
  const charge = context.books.put('charges', newCharge(intent, card, { captured }))
  recordEvent(context, 'charge.succeeded', charge)
  const charged = context.books.put('payment_intents', {
    ...intent,
    amount_capturable: captured ? 0 : intent.amount,
    amount_received: captured ? intent.amount : 0,
    latest_charge: charge.id,
    status: captured ? 'succeeded' : 'requires_capture',
  })
  recordEvent(
    context,
    captured ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable_updated',
    charged,
  )
  return charged
}

function decline(
  context: Context,
  intent: PaymentIntent,
  card: Card,
  { message, ...reason }: Decline,
): never {
  const charge = context.books.put('charges', newCharge(intent, card, { decline: { message, ...reason } }))
  recordEvent(context, 'charge.failed', charge)
  const error: ErrorBody = {
    type: 'card_error',
    message,
    ...reason,
    charge: charge.id,
    payment_method: {
      id: intent.payment_method ?? '',
      object: 'payment_method',
      type: 'card',
    },
  }
  const waiting = context.books.put('payment_intents', {
    ...intent,
    last_payment_error: error,
    latest_charge: charge.id,
    payment_method: null,
    status: 'requires_payment_method',
  })
  recordEvent(context, 'payment_intent.payment_failed', waiting)
  const { type: _, message: __, ...details } = error
  throw cardError(message, { ...details, payment_intent: waiting })
}

function newCharge(
  intent: PaymentIntent,
  card: Card,
  how: { captured?: boolean; decline?: Decline },
): Charge {
  const { captured = false, decline } = how
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: captured ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: captured ? newId('txn') : null,
    captured,
    created: unixNow(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    outcome: {
      network_status: decline ? 'declined_by_network' : 'approved_by_network',
      reason: decline?.decline_code ?? null,
      type: decline ? 'issuer_declined' : 'authorized',
    },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: intent.payment_method ?? '',
    payment_method_details: {
      type: 'card',
      card: { brand: card.brand, last4: card.last4 },
    },
    refunded: false,
    status: decline ? 'failed' : 'succeeded',
  }
}
