/*
 * Finds the store of a gateway's notifications. This code is in `shared`, because the API receives notifications and a
 * worker reads missed ones.
 */

/** The payment or card setup that a notification is about, and the store in its metadata; null without one. */
export interface NotificationSubject {
  reference: string | null
  namedStoreId: string | null
}

/** The format of a gateway's notifications: the types that this service handles, and the subject of an object. */
interface GatewayFormat {
  handledTypes: readonly string[]
  subjectOf: (object: Record<string, unknown>) => NotificationSubject
}

/** The format of each gateway's notifications, by the name of the gateway. */
export const GATEWAY_FORMATS = {
  stripe: {
    handledTypes: [
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
    ],
    subjectOf: subjectOfStripe,
  },
} as const satisfies Record<string, GatewayFormat>
export type GatewayName = keyof typeof GATEWAY_FORMATS

/** Returns the format of a gateway's notifications. */
export const formatOf = (gateway: GatewayName): GatewayFormat => GATEWAY_FORMATS[gateway]

/** Reads the subject of an event's object: the object itself, or the payment intent of a refund or dispute. */
function subjectOfStripe({
  metadata,
  id,
  payment_intent: payment = id,
}: Record<string, unknown>): NotificationSubject {
  const reference = payment instanceof Object && 'id' in payment ? payment.id : payment
  const named = metadata instanceof Object && 'store_id' in metadata ? metadata.store_id : null
  return {
    reference: typeof reference === 'string' ? reference : null,
    namedStoreId: typeof named === 'string' ? named : null,
  }
}
