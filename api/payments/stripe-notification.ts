import Stripe from 'stripe'
import { PaymentErrors } from '#shared/payments/errors.ts'
import { isNotificationType, type Notification } from '#shared/payments/notification.ts'
import { now } from '#shared/platform/clock.ts'
import { config } from '#shared/platform/config.ts'
import { isUuid } from '#shared/platform/id.ts'

/** Older signatures are refused: a notification that was overheard must not be sent again later. */
const OLDEST_SECONDS = 300

/** A notification for one of the stores; null for what is none of ours or does not matter. */
export type StoreNotification = { storeId: string; notification: Notification } | null

/** Reads what Stripe sent. Throws 400 `payment.signature_invalid` unless Stripe signed these bytes, just now. */
export function readStripeNotification(bytes: Buffer, signature: string | undefined): StoreNotification {
  const { id, type, data } = verified(bytes, signature ?? '')
  const { store_id: storeId } = (data.object as { metadata?: Record<string, string> | null }).metadata ?? {}
  if (!storeId || !isUuid(storeId) || !isNotificationType(type)) return null
  return { storeId, notification: { provider: 'stripe', id, type, payload: data.object } }
}

function verified(bytes: Buffer, signature: string): Stripe.Event {
  const secret = config().STRIPE_WEBHOOK_SECRET
  const receivedAt = now().getTime()
  try {
    return Stripe.webhooks.constructEvent(bytes, signature, secret, OLDEST_SECONDS, undefined, receivedAt)
  } catch {
    throw PaymentErrors.signatureInvalid()
  }
}
