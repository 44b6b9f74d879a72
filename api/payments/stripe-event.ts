import Stripe from 'stripe'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'
import { RequestErrors } from '#api/platform/errors.ts'
import { rejectHostileJson } from '#api/platform/input/text.ts'
import { PaymentErrors } from '#shared/payments/errors.ts'
import type { GatewayNotification } from '#shared/payments/notifications/receive-notification.ts'
import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import { config } from '#shared/platform/config/config.ts'
import { now } from '#shared/platform/time/clock.ts'
import { MAX_AGE_SECONDS } from './stripe-signature.ts'

const StripeEvent = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255 }),
  type: Type.String(),
  data: Type.Object({ object: Type.Record(Type.String(), Type.Unknown()) }),
})

/**
 * Verifies and parses a notification of Stripe. Throws `payment.signature_invalid` if Stripe has not signed these bytes
 * recently, and `request.malformed` if they are no event in Stripe's format.
 */
export function readStripeEvent(bytes: Buffer, signature: string | undefined): GatewayNotification {
  const notification: unknown = verify(bytes, signature ?? '')
  rejectHostileJson(notification)
  if (!Check(StripeEvent, notification))
    throw RequestErrors.malformed({ why: 'the body is not a Stripe event' })
  const { id, type, data } = notification
  return { provider: CARD_PROVIDER, id, type, object: data.object }
}

function verify(bytes: Buffer, signature: string): unknown {
  const secret = config().STRIPE_WEBHOOK_SECRET
  const receivedAt = now().getTime()
  try {
    return Stripe.webhooks.constructEvent(bytes, signature, secret, MAX_AGE_SECONDS, undefined, receivedAt)
  } catch {
    throw PaymentErrors.signatureInvalid()
  }
}
