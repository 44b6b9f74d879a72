import { Type } from 'typebox'
import { open } from '#api/platform/auth/access.ts'
import { RequestErrors } from '#api/platform/errors.ts'
import { streamBytes } from '#api/platform/input/stream-bytes.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { PaymentErrors } from '#shared/payments/errors.ts'
import { receiveNotification } from '#shared/payments/notifications/receive-notification.ts'
import { assertRecent } from './stripe-signature.ts'

const MAX_BYTES = 256 * 1024

export const receiveStripeNotification = endpoint({
  method: 'post',
  path: '/payments/stripe/webhook',
  access: open,
  summary: 'Receive Stripe notifications of payments, card setups, refunds and disputes',
  description:
    'Signed by Stripe, which calls them webhook events. Repeated ones and those that do not concern this service are ' +
    'accepted, too.',
  // The gateway decides how often it sends, and its signature authenticates it.
  limits: [],
  rawBody: true,
  bodyLimit: MAX_BYTES,
  returns: [200, Type.Null()],
  errors: [PaymentErrors.signatureInvalid, RequestErrors.malformed],
  example: {
    body: {
      id: 'evt_1QK1dE2eZvKYlo2C',
      object: 'event',
      type: 'payment_intent.succeeded',
      data: { object: {} },
    },
    data: null,
  },
  async handle({ request: { stream, headers } }) {
    const signature = headers['stripe-signature']?.toString() ?? ''
    // Check before the body is read, because anyone can send one.
    assertRecent(signature)
    const bytes = Buffer.concat(await Array.fromAsync(streamBytes(stream, MAX_BYTES)))
    // Import it on the first notification, because the library is large and many processes never receive one.
    const { readStripeEvent } = await import('./stripe-event.ts')
    await receiveNotification(readStripeEvent(bytes, signature))
    return null
  },
})
