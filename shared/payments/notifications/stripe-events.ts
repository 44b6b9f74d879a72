/*
 * The parts of Stripe's events that find their store. They are in `shared`, because the webhook receives events and a
 * worker reads the missed ones.
 */

/** The types of events that this service handles. */
export const STRIPE_EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'setup_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const
export type StripeEventType = (typeof STRIPE_EVENT_TYPES)[number]

export const isStripeEventType = (type: string): type is StripeEventType =>
  (STRIPE_EVENT_TYPES as readonly string[]).includes(type)

/** The payment or card setup that an event is about, and the store that its metadata names. Null: it has none. */
export interface EventSubject {
  reference: string | null
  namedStoreId: string | null
}

/** Reads the subject of the object of an event: the object itself, or the payment intent of a refund or dispute. */
export function subjectOf({
  metadata,
  id,
  payment_intent: payment = id,
}: Record<string, unknown>): EventSubject {
  const reference = payment instanceof Object && 'id' in payment ? payment.id : payment
  const named = metadata instanceof Object && 'store_id' in metadata ? metadata.store_id : null
  return {
    reference: typeof reference === 'string' ? reference : null,
    namedStoreId: typeof named === 'string' ? named : null,
  }
}
