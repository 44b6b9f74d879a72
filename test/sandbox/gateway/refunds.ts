import { assertStep } from './amount-rules.ts'
import { newId, unixNow } from './books.ts'
import { findCard } from './cards.ts'
import { missing, missingParameter, refused } from './errors.ts'
import { type Context, recordEvent } from './events.ts'
import { amount, choice, mergeMetadata, type Params, text } from './params.ts'
import { findIntent } from './payment-intents.ts'
import type { Charge, Refund, RefundStatus } from './types.ts'

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

/** Refunds an amount up to the unrefunded rest of the charge. */
export function createRefund(context: Context, params: Params): Refund {
  const charge = findRefundable(context, params)
  const left = charge.amount_captured - charge.amount_refunded
  if (charge.disputed) {
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  }
  if (left === 0) {
    throw refused(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  }
  const units = amount(params, 'amount') ?? left
  assertStep(units, charge.currency)
  if (units > left) {
    throw refused(`Refund amount (${units}) is greater than unrefunded amount on charge (${left})`, {
      code: 'amount_too_large',
      param: 'amount',
    })
  }
  const refund = context.books.put('refunds', {
    id: newId('re'),
    object: 'refund',
    amount: units,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: unixNow(),
    currency: charge.currency,
    livemode: false,
    metadata: mergeMetadata(params),
    payment_intent: charge.payment_intent,
    reason: choice(params, 'reason', REASONS),
    receipt_number: null,
    status: findCard(charge.payment_method)?.refunds ? 'pending' : 'succeeded',
  })
  recordEvent(context, 'refund.created', refund)
  recordEvent(context, 'charge.refunded', changeRefunded(context, charge, units))
  if (refund.status === 'succeeded') recordEvent(context, 'refund.updated', refund)
  return refund
}

export function updateRefund(context: Context, id: string, params: Params): Refund {
  const refund = findRefund(context, id)
  const updated = context.books.put('refunds', {
    ...refund,
    metadata: mergeMetadata(params, refund.metadata),
  })
  recordEvent(context, 'refund.updated', updated)
  return updated
}

/** Settles a pending refund; when it fails, the merchant's balance gets the money back. */
export function settleRefund(context: Context, id: string, outcome: RefundStatus): Refund {
  const refund = findRefund(context, id)
  if (refund.status !== 'pending') throw refused(`Refund ${id} is not pending but ${refund.status}.`)
  const failed = outcome === 'failed'
  const settled = context.books.put('refunds', {
    ...refund,
    status: failed ? 'failed' : 'succeeded',
    ...(failed ? { failure_reason: 'expired_or_canceled_card' } : {}),
  })
  const charge = context.books.find('charges', refund.charge)
  if (failed && charge) changeRefunded(context, charge, -refund.amount)
  recordEvent(context, 'refund.updated', settled)
  if (failed) recordEvent(context, 'refund.failed', settled)
  return settled
}

/** The bank of the buyer sends a refund back that had succeeded, e.g. because the card was closed. */
export function bounceRefund(context: Context, id: string): Refund {
  const refund = findRefund(context, id)
  if (refund.status !== 'succeeded') throw refused(`Refund ${id} has not succeeded but is ${refund.status}.`)
  const failed = context.books.put('refunds', {
    ...refund,
    status: 'failed',
    failure_reason: 'lost_or_stolen_card',
  })
  const charge = context.books.find('charges', refund.charge)
  if (charge) changeRefunded(context, charge, -refund.amount)
  recordEvent(context, 'refund.failed', failed)
  return failed
}

export function findRefund({ books }: Context, id: string): Refund {
  const refund = books.find('refunds', id)
  if (!refund) throw missing('refund', id, 'id')
  return refund
}

function findRefundable(context: Context, params: Params): Charge {
  const intentId = text(params, 'payment_intent')
  const chargeId = intentId ? findIntent(context, intentId, 400).latest_charge : text(params, 'charge')
  if (!intentId && !chargeId) throw missingParameter('payment_intent')
  const charge = context.books.find('charges', chargeId ?? '')
  if (!charge && !intentId) throw missing('charge', chargeId ?? '', 'charge', 400)
  if (charge?.captured) return charge
  throw refused(
    `This PaymentIntent (${intentId ?? charge?.payment_intent}) does not have a successful charge to refund.`,
  )
}

function changeRefunded({ books }: Context, charge: Charge, units: number): Charge {
  const amount_refunded = charge.amount_refunded + units
  return books.put('charges', {
    ...charge,
    amount_refunded,
    refunded: amount_refunded === charge.amount_captured,
  })
}
