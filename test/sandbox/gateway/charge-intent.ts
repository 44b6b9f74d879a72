import { newId, unixNow } from './books.ts'
import type { Card } from './cards.ts'
import { cardError, missing } from './errors.ts'
import { type Context, recordEvent } from './events.ts'
import { asksHolder, behaviourOf, presentMethod, saveMethod, spendMethod } from './payment-methods.ts'
import type { Charge, ErrorBody, NextAction, PaymentIntent, PaymentMethod, SetupIntent } from './types.ts'

type Circumstances = {
  offSession: boolean
  returnUrl: string | null
  setupFutureUsage: string | null
}

/**
 * Charges a card for an intent. The charge succeeds, is declined, or requires authentication by the cardholder.
 * @throws 402 in Stripe's format when declined; the intent then waits for another payment method
 */
export function chargeIntent(
  context: Context,
  intent: PaymentIntent,
  method: PaymentMethod,
  how: Circumstances,
) {
  const card = behaviourOf(context, method)
  const presented = {
    ...intent,
    payment_method: method.id,
    setup_future_usage: how.setupFutureUsage,
    last_payment_error: null,
    next_action: null,
  }
  if (asksHolder(context, method)) {
    if (how.offSession) return decline(context, presented, method, NEEDS_HOLDER)
    return askHolder(context, presented, how.returnUrl)
  }
  const declines = card.declinesLater && !intent.customer ? undefined : card.declines
  return declines ? decline(context, presented, method, declines) : succeed(context, presented, method)
}

/** Completes the intent after the cardholder's decision on the bank's page. */
export function finishAuthentication(context: Context, intent: PaymentIntent, agreed: boolean) {
  if (intent.status !== 'requires_action') throw missing('next_action', intent.id, 'intent', 400)
  const method = presentMethod(context, intent.payment_method ?? '')
  const answered = { ...intent, next_action: null }
  return agreed ? succeed(context, answered, method) : decline(context, answered, method, NOT_AUTHENTICATED)
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

/** The way to the bank's page: a redirect, or with Stripe.js. */
export function nextActionFor(
  { url: gateway }: Context,
  { object, id }: PaymentIntent | SetupIntent,
  returnUrl: string | null,
): NextAction {
  const url = `${gateway}/_sandbox/${object}s/${id}/authenticate`
  if (returnUrl) return { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } }
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url },
  }
}

function askHolder(context: Context, intent: PaymentIntent, returnUrl: string | null) {
  const asking = context.books.put('payment_intents', {
    ...intent,
    next_action: nextActionFor(context, intent, returnUrl),
    status: 'requires_action',
  })
  recordEvent(context, 'payment_intent.requires_action', asking)
  return asking
}

function succeed(context: Context, intent: PaymentIntent, { id: methodId, card }: PaymentMethod) {
  const captured = intent.capture_method !== 'manual'
  const charge = context.books.put('charges', newCharge(intent, card, { captured }))
  recordEvent(context, 'charge.succeeded', charge)
  if (intent.setup_future_usage) saveMethod(context, methodId, intent.customer)
  else spendMethod(context, methodId)
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
  method: PaymentMethod,
  { message, ...reason }: Decline,
): never {
  const charge = context.books.put(
    'charges',
    newCharge(intent, method.card, { decline: { message, ...reason } }),
  )
  recordEvent(context, 'charge.failed', charge)
  const error: ErrorBody = {
    type: 'card_error',
    message,
    ...reason,
    charge: charge.id,
    payment_method: method,
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
  card: Pick<Card, 'brand' | 'last4'>,
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
