import { newId, randomText, unixNow } from './books.ts'
import { nextActionFor } from './charge-intent.ts'
import { findCustomer } from './customers.ts'
import { cardError, missing, missingParameter, refused } from './errors.ts'
import { type Context, recordEvent } from './events.ts'
import { choice, flag, mergeMetadata, type Params, text } from './params.ts'
import { allowedTypes, automaticMethods } from './payment-intents.ts'
import { asksHolder, behaviourOf, presentMethod, presentMethodOf, saveMethod } from './payment-methods.ts'
import type { ErrorBody, PaymentMethod, SetupIntent, SetupStatus } from './types.ts'

const USAGES = ['off_session', 'on_session'] as const
const OPEN: readonly SetupStatus[] = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** A setup intent saves a card without a charge. */
export function createSetup(context: Context, params: Params): SetupIntent {
  const id = newId('seti')
  const customer = knownCustomer(context, params)
  const given = text(params, 'payment_method')
  const paymentMethod = given ? presentMethodOf(context, given, customer).id : null
  const setup = context.books.put('setup_intents', {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: allowedTypes(params),
    application: null,
    automatic_payment_methods: automaticMethods(params),
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(25)}`,
    created: unixNow(),
    customer,
    description: text(params, 'description'),
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: mergeMetadata(params),
    next_action: null,
    on_behalf_of: null,
    payment_method: paymentMethod,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: paymentMethod ? 'requires_confirmation' : 'requires_payment_method',
    usage: choice(params, 'usage', USAGES) ?? 'off_session',
  })
  recordEvent(context, 'setup_intent.created', setup)
  return flag(params, 'confirm') ? confirmSetup(context, id, params) : setup
}

export function updateSetup(context: Context, id: string, params: Params): SetupIntent {
  const setup = expectOpen(findSetup(context, id), 'updated')
  return context.books.put('setup_intents', {
    ...setup,
    customer: knownCustomer(context, params) ?? setup.customer,
    description: text(params, 'description') ?? setup.description,
    metadata: mergeMetadata(params, setup.metadata),
  })
}

/** Saves the card, declines it (402 in Stripe's format), or requires authentication by the cardholder. */
export function confirmSetup(context: Context, id: string, params: Params): SetupIntent {
  const setup = expectOpen(findSetup(context, id), 'confirmed')
  const given = text(params, 'payment_method') ?? setup.payment_method
  if (!given) throw missingParameter('payment_method')
  const method = presentMethodOf(context, given, setup.customer)
  const presented: SetupIntent = {
    ...setup,
    last_setup_error: null,
    latest_attempt: newId('setatt'),
    next_action: null,
    payment_method: method.id,
  }
  const { declines, declinesLater } = behaviourOf(context, method)
  if (declines && !declinesLater) return decline(context, presented, method, declines)
  if (!asksHolder(context, method)) return succeed(context, presented)
  const asking = context.books.put('setup_intents', {
    ...presented,
    next_action: nextActionFor(context, presented, text(params, 'return_url')),
    status: 'requires_action',
  })
  recordEvent(context, 'setup_intent.requires_action', asking)
  return asking
}

/** Completes a setup after the cardholder's decision on the bank's page. */
export function finishSetup(context: Context, setup: SetupIntent, agreed: boolean): SetupIntent {
  if (setup.status !== 'requires_action') throw missing('next_action', setup.id, 'intent', 400)
  const answered = { ...setup, next_action: null }
  if (agreed) return succeed(context, answered)
  return decline(context, answered, presentMethod(context, setup.payment_method ?? ''), {
    code: 'setup_intent_authentication_failure',
    message: 'The latest attempt to set up the payment method has failed because authentication failed.',
  })
}

export function cancelSetup(context: Context, id: string, params: Params): SetupIntent {
  const setup = expectOpen(findSetup(context, id), 'canceled')
  const canceled = context.books.put('setup_intents', {
    ...setup,
    cancellation_reason: text(params, 'cancellation_reason'),
    next_action: null,
    status: 'canceled',
  })
  recordEvent(context, 'setup_intent.canceled', canceled)
  return canceled
}

export function findSetup({ books }: Context, id: string): SetupIntent {
  const setup = books.find('setup_intents', id)
  if (!setup) throw missing('setupintent', id, 'intent')
  return setup
}

function succeed(context: Context, setup: SetupIntent): SetupIntent {
  if (setup.payment_method) saveMethod(context, setup.payment_method, setup.customer)
  const succeeded = context.books.put('setup_intents', { ...setup, status: 'succeeded' })
  recordEvent(context, 'setup_intent.succeeded', succeeded)
  return succeeded
}

function decline(
  context: Context,
  setup: SetupIntent,
  method: PaymentMethod,
  { message, ...reason }: { code: string; decline_code?: string; message: string },
): never {
  const error: ErrorBody = { type: 'card_error', message, ...reason, payment_method: method }
  const waiting = context.books.put('setup_intents', {
    ...setup,
    last_setup_error: error,
    payment_method: null,
    status: 'requires_payment_method',
  })
  recordEvent(context, 'setup_intent.setup_failed', waiting)
  throw cardError(message, { ...reason, payment_method: method, setup_intent: waiting })
}

function expectOpen(setup: SetupIntent, done: string): SetupIntent {
  if (OPEN.includes(setup.status)) return setup
  throw refused(
    `You cannot perform this action because the SetupIntent has a status of ${setup.status}. Only a SetupIntent with one of the following statuses may be ${done}: ${OPEN.join(', ')}.`,
    { code: 'setup_intent_unexpected_state', setup_intent: setup },
  )
}

const knownCustomer = (context: Context, params: Params): string | null => {
  const id = text(params, 'customer')
  return id && findCustomer(context, id, 400).id
}
