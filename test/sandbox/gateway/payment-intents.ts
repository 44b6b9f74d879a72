import { assertChargeable, assertStep } from './amount-rules.ts'
import { newId, randomText, unixNow } from './books.ts'
import { chargeIntent } from './charge-intent.ts'
import { findCustomer } from './customers.ts'
import { invalidParameter, missing, missingParameter, refused } from './errors.ts'
import { type Context, recordEvent } from './events.ts'
import { amount, choice, currency, flag, group, list, mergeMetadata, type Params, text } from './params.ts'
import { presentMethodOf } from './payment-methods.ts'
import type { IntentStatus, PaymentIntent } from './types.ts'

const CAPTURE_METHODS = ['automatic', 'automatic_async', 'manual'] as const
const OPEN: readonly IntentStatus[] = ['requires_payment_method', 'requires_confirmation', 'requires_action']

export function createIntent(context: Context, params: Params): PaymentIntent {
  const id = newId('pi')
  const units = amount(params, 'amount')
  if (units === null) throw missingParameter('amount')
  const code = currency(params)
  assertChargeable(units, code)
  if (isOffSession(params) && !flag(params, 'confirm'))
    throw invalidParameter('off_session', 'You can only set `off_session` when `confirm` is true.')
  const customer = knownCustomer(context, params)
  const given = text(params, 'payment_method')
  const paymentMethod = given ? presentMethodOf(context, given, customer).id : null
  const intent = context.books.put('payment_intents', {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: allowedTypes(params),
    amount: units,
    amount_capturable: 0,
    amount_received: 0,
    automatic_payment_methods: automaticMethods(params),
    canceled_at: null,
    cancellation_reason: null,
    capture_method: choice(params, 'capture_method', CAPTURE_METHODS) ?? 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: unixNow(),
    currency: code,
    customer,
    description: text(params, 'description'),
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: mergeMetadata(params),
    next_action: null,
    payment_method: paymentMethod,
    payment_method_types: ['card'],
    receipt_email: text(params, 'receipt_email'),
    setup_future_usage: text(params, 'setup_future_usage'),
    statement_descriptor: text(params, 'statement_descriptor'),
    status: paymentMethod ? 'requires_confirmation' : 'requires_payment_method',
  })
  recordEvent(context, 'payment_intent.created', intent)
  if (!flag(params, 'confirm')) return intent
  // The test name in the parameters has become a payment method: it is not used a second time.
  return confirmIntent(context, id, { ...params, payment_method: paymentMethod ?? '' })
}

export function updateIntent(context: Context, id: string, params: Params): PaymentIntent {
  const intent = expectStatus(findIntent(context, id), 'updated', [...OPEN, 'requires_capture', 'succeeded'])
  const units = amount(params, 'amount')
  const code = text(params, 'currency') ? currency(params) : intent.currency
  if (units !== null) expectStatus(intent, 'updated', OPEN)
  assertChargeable(units ?? intent.amount, code)
  const customer = knownCustomer(context, params) ?? intent.customer
  const given = text(params, 'payment_method')
  return context.books.put('payment_intents', {
    ...intent,
    amount: units ?? intent.amount,
    currency: code,
    customer,
    description: text(params, 'description') ?? intent.description,
    metadata: mergeMetadata(params, intent.metadata),
    payment_method: given ? presentMethodOf(context, given, customer).id : intent.payment_method,
    receipt_email: text(params, 'receipt_email') ?? intent.receipt_email,
    setup_future_usage: text(params, 'setup_future_usage') ?? intent.setup_future_usage,
  })
}

export function confirmIntent(context: Context, id: string, params: Params): PaymentIntent {
  const intent = expectStatus(findIntent(context, id), 'confirmed', OPEN)
  const method = text(params, 'payment_method') ?? intent.payment_method
  if (!method) throw missingParameter('payment_method')
  return chargeIntent(context, intent, presentMethodOf(context, method, intent.customer), {
    offSession: isOffSession(params),
    returnUrl: text(params, 'return_url'),
    setupFutureUsage: text(params, 'setup_future_usage') ?? intent.setup_future_usage,
  })
}

export function captureIntent(context: Context, id: string, params: Params): PaymentIntent {
  const intent = expectStatus(findIntent(context, id), 'captured', ['requires_capture'])
  const units = amount(params, 'amount_to_capture') ?? intent.amount_capturable
  assertStep(units, intent.currency, 'amount_to_capture')
  if (units > intent.amount_capturable) {
    throw refused('The amount to capture is more than the amount that can be captured.', {
      code: 'amount_too_large',
      param: 'amount_to_capture',
    })
  }
  const charge = context.books.find('charges', intent.latest_charge ?? '')
  if (!charge) throw new Error(`${id} has no charge to capture`)
  const captured = {
    ...charge,
    amount_captured: units,
    captured: true,
    balance_transaction: newId('txn'),
  }
  recordEvent(context, 'charge.captured', context.books.put('charges', captured))
  const settled = {
    ...intent,
    amount_capturable: 0,
    amount_received: units,
    status: 'succeeded' as const,
  }
  recordEvent(context, 'payment_intent.succeeded', context.books.put('payment_intents', settled))
  return settled
}

export function cancelIntent(context: Context, id: string, params: Params): PaymentIntent {
  const intent = expectStatus(findIntent(context, id), 'canceled', [...OPEN, 'requires_capture'])
  const canceled = context.books.put('payment_intents', {
    ...intent,
    amount_capturable: 0,
    canceled_at: unixNow(),
    cancellation_reason: text(params, 'cancellation_reason'),
    next_action: null,
    status: 'canceled',
  })
  recordEvent(context, 'payment_intent.canceled', canceled)
  return canceled
}

export function findIntent({ books }: Context, id: string, status = 404): PaymentIntent {
  const intent = books.find('payment_intents', id)
  if (!intent) throw missing('payment_intent', id, status === 404 ? 'intent' : 'payment_intent', status)
  return intent
}

function expectStatus(intent: PaymentIntent, done: string, statuses: readonly IntentStatus[]) {
  if (statuses.includes(intent.status)) return intent
  throw refused(
    `This PaymentIntent could not be ${done} because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be ${done}: ${statuses.join(', ')}.`,
    { code: 'payment_intent_unexpected_state', payment_intent: intent },
  )
}

/** The kinds of payment methods that are allowed; null: all. The sandbox has only cards. */
export const allowedTypes = (params: Params): string[] | null =>
  params.allowed_payment_method_types === undefined ? null : list(params, 'allowed_payment_method_types')

export function automaticMethods(params: Params) {
  const chosen = group(params, 'automatic_payment_methods')
  return {
    enabled: text(chosen, 'enabled') !== 'false',
    allow_redirects: text(chosen, 'allow_redirects') ?? 'always',
  }
}

function knownCustomer(context: Context, params: Params): string | null {
  const id = text(params, 'customer')
  return id && findCustomer(context, id, 400).id
}

const isOffSession = (params: Params) =>
  ['true', 'one_off', 'recurring'].includes(text(params, 'off_session') ?? '')
