import { createHash } from 'node:crypto'
import { now } from '#shared/platform/time/clock.ts'
import { randomText, unixNow } from './books.ts'
import { type Card, findCard, isTestName, methodIdFor } from './cards.ts'
import { findCustomer } from './customers.ts'
import { cardError, invalidParameter, missing, refused } from './errors.ts'
import { type Context, recordEvent } from './events.ts'
import { mergeMetadata, type Params, requiredText } from './params.ts'
import type { PaymentMethod } from './types.ts'

/** What the sandbox knows of a payment method beyond Stripe's fields. */
export type CardState = {
  id: string
  /** Saved for off-session charges, with the cardholder's authentication if the card requires one. */
  isSetUp: boolean
  /** Paid without being saved, or was detached: Stripe accepts it for nothing more. */
  isSpent: boolean
  /** The behaviour that a test gave it, instead of that of its test card. */
  behaviour?: CardBehaviour
}

export type CardBehaviour = {
  charges: 'succeed' | 'decline' | 'authenticate'
  /** Of a decline. Default: `generic_decline`. */
  decline_code?: string
}

const BEHAVIOURS: readonly string[] = ['succeed', 'decline', 'authenticate']

/**
 * The payment method of an id. A test name (`pm_card_visa`) creates a new one, as at Stripe.
 * @throws `status` in Stripe's format when there is none
 */
export function presentMethod(context: Context, id: string, status = 400): PaymentMethod {
  const known = context.books.find('payment_methods', id)
  if (known) return known
  const card = isTestName(id) ? findCard(id) : undefined
  if (!card) throw missing('PaymentMethod', id, 'payment_method', status)
  return context.books.put('payment_methods', newMethod(methodIdFor(id, randomText(16)), card))
}

/** The payment method for an intent of this customer, or of none. */
export function presentMethodOf(context: Context, id: string, customer: string | null): PaymentMethod {
  const method = presentMethod(context, id)
  if (method.customer && method.customer !== customer)
    throw invalidParameter(
      'payment_method',
      'The provided PaymentMethod belongs to a Customer. Please include that Customer in the `customer` parameter.',
    )
  if (stateOf(context, method.id).isSpent) throw spent()
  return method
}

/** The behaviour of a payment method: that of its test card, unless a test changed it. */
export function behaviourOf(context: Context, { id }: PaymentMethod): Card {
  const card = findCard(id)
  if (!card) throw new Error(`The payment method ${id} is of no test card`)
  const { behaviour } = stateOf(context, id)
  if (!behaviour) return card
  const { brand, last4 } = card
  if (behaviour.charges === 'succeed') return { brand, last4 }
  if (behaviour.charges === 'authenticate') return { brand, last4, asks: 'always' }
  const decline_code = behaviour.decline_code ?? 'generic_decline'
  const message = 'Your card was declined.'
  return { brand, last4, declines: { code: 'card_declined', decline_code, message } }
}

/** Whether a charge or a setup with the cardholder present requires authentication. */
export const asksHolder = (context: Context, method: PaymentMethod): boolean => {
  const { asks } = behaviourOf(context, method)
  return asks === 'always' || (asks === 'unless_saved' && !stateOf(context, method.id).isSetUp)
}

/** Saves a payment method for off-session charges, and attaches it to the customer if there is one. */
export function saveMethod(context: Context, id: string, customer: string | null) {
  patchState(context, id, { isSetUp: true })
  const method = presentMethod(context, id)
  if (customer && !method.customer) attach(context, method, customer)
}

/** Marks a payment method that paid without being saved: it cannot be used again. */
export function spendMethod(context: Context, id: string) {
  if (!presentMethod(context, id).customer) patchState(context, id, { isSpent: true })
}

export function attachMethod(context: Context, id: string, params: Params): PaymentMethod {
  const customer = findCustomer(context, requiredText(params, 'customer'), 400)
  const method = presentMethod(context, id, 404)
  if (method.customer)
    throw refused('The payment method you provided has already been attached to a customer.')
  if (stateOf(context, method.id).isSpent) throw spent()
  const { declines, declinesLater } = behaviourOf(context, method)
  if (declines && !declinesLater) {
    const { message, ...reason } = declines
    throw cardError(message, reason)
  }
  return attach(context, method, customer.id)
}

export function detachMethod(context: Context, id: string): PaymentMethod {
  const method = presentMethod(context, id, 404)
  if (!method.customer)
    throw refused(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    )
  const customer = findCustomer(context, method.customer)
  if (customer.invoice_settings.default_payment_method === id)
    context.books.put('customers', {
      ...customer,
      invoice_settings: { ...customer.invoice_settings, default_payment_method: null },
    })
  patchState(context, id, { isSpent: true })
  const detached = context.books.put('payment_methods', { ...method, customer: null })
  recordEvent(context, 'payment_method.detached', detached)
  return detached
}

export function updateMethod(context: Context, id: string, params: Params): PaymentMethod {
  const method = presentMethod(context, id, 404)
  const updated = { ...method, metadata: mergeMetadata(params, method.metadata) }
  recordEvent(context, 'payment_method.updated', context.books.put('payment_methods', updated))
  return updated
}

/** Changes the behaviour of one payment method from now on. */
export function changeBehaviour(context: Context, id: string, behaviour: CardBehaviour): CardState {
  if (!BEHAVIOURS.includes(behaviour.charges))
    throw new TypeError(`\`charges\` is one of ${BEHAVIOURS.join(', ')}`)
  if (!context.books.find('payment_methods', id)) throw missing('PaymentMethod', id, 'payment_method')
  return patchState(context, id, { behaviour })
}

function attach(context: Context, method: PaymentMethod, customer: string): PaymentMethod {
  const attached = context.books.put('payment_methods', { ...method, customer })
  recordEvent(context, 'payment_method.attached', attached)
  return attached
}

const stateOf = ({ books }: Context, id: string): CardState =>
  books.find('card_states', id) ?? { id, isSetUp: false, isSpent: false }

const patchState = (context: Context, id: string, change: Partial<CardState>): CardState =>
  context.books.put('card_states', { ...stateOf(context, id), ...change })

const spent = () =>
  refused(
    'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
  )

const newMethod = (id: string, { brand, last4 }: Card): PaymentMethod => ({
  id,
  object: 'payment_method',
  allow_redisplay: 'unspecified',
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  card: {
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    display_brand: brand,
    exp_month: 12,
    exp_year: now().getUTCFullYear() + 2,
    // Equal for the same card number, as at Stripe.
    fingerprint: createHash('sha256').update(`${brand} ${last4}`).digest('hex').slice(0, 16),
    funding: 'credit',
    generated_from: null,
    last4,
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  },
  created: unixNow(),
  customer: null,
  customer_account: null,
  livemode: false,
  metadata: {},
  type: 'card',
})
