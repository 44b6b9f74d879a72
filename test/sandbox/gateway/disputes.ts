import { newId, unixNow } from './books.ts'
import { missing, refused } from './errors.ts'
import { type Context, recordEvent } from './events.ts'
import { findIntent } from './payment-intents.ts'
import type { Dispute, DisputeStatus } from './types.ts'

const DAY_SECONDS = 24 * 60 * 60
const OPEN: readonly DisputeStatus[] = ['warning_needs_response', 'needs_response', 'under_review']

export type NewDispute = {
  payment_intent: string
  /** In Stripe's units. Default: the whole charge. */
  amount?: number
  reason?: string
  status?: DisputeStatus
}

/** Opens a dispute of a payment, as the bank of its buyer does. */
export function openDispute(
  context: Context,
  { payment_intent, amount, reason, status }: NewDispute,
): Dispute {
  const charge = context.books.find('charges', findIntent(context, payment_intent).latest_charge ?? '')
  if (!charge?.captured) throw refused(`${payment_intent} has no successful charge to dispute.`)
  context.books.put('charges', { ...charge, disputed: true })
  const dispute = context.books.put('disputes', {
    id: newId('dp'),
    object: 'dispute',
    amount: amount ?? charge.amount,
    charge: charge.id,
    created: unixNow(),
    currency: charge.currency,
    evidence_details: {
      due_by: unixNow() + 14 * DAY_SECONDS,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent,
    reason: reason ?? 'fraudulent',
    status: status ?? 'needs_response',
  })
  recordEvent(context, 'charge.dispute.created', dispute)
  return dispute
}

/** Gives a dispute its next status; the bank has decided when it is not an open one. */
export function changeDispute(context: Context, id: string, status: DisputeStatus): Dispute {
  const dispute = findDispute(context, id)
  if (!OPEN.includes(dispute.status)) throw refused(`Dispute ${id} is ${dispute.status} already.`)
  const changed = context.books.put('disputes', { ...dispute, status })
  const charge = context.books.find('charges', dispute.charge)
  // The money of a lost dispute is gone, and what the bank gives back can be refunded again.
  if (charge && !OPEN.includes(status) && status !== 'lost')
    context.books.put('charges', { ...charge, disputed: false })
  recordEvent(context, OPEN.includes(status) ? 'charge.dispute.updated' : 'charge.dispute.closed', changed)
  return changed
}

export function findDispute({ books }: Context, id: string): Dispute {
  const dispute = books.find('disputes', id)
  if (!dispute) throw missing('dispute', id, 'id')
  return dispute
}
