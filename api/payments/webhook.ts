import { Type } from 'typebox'
import { open } from '#api/platform/auth/access.ts'
import { streamBytes } from '#api/platform/input/body.ts'
import { RequestErrors } from '#api/platform/output/errors.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { PaymentErrors } from '#shared/payments/errors.ts'
import { receiveNotification } from '#shared/payments/notification.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findStoreById } from '#shared/stores/find-store.ts'

const LIMIT = 1024 * 1024

export const receiveStripeNotification = endpoint({
  method: 'post',
  path: '/payments/stripe/webhook',
  access: open,
  summary: 'Hear from Stripe what became of a payment or a refund',
  description:
    "Signed by Stripe. What was told before, or is none of the service's business, is answered all the same.",
  // The gateway decides how often it tells, and shows that it is the gateway.
  limits: [],
  rawBody: true,
  bodyLimit: LIMIT,
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
    const signature = headers['stripe-signature']
    const bytes = Buffer.concat(await Array.fromAsync(streamBytes(stream, LIMIT)))
    // Loaded by the first notification: the library is large, and many a process never hears of one.
    const { readStripeNotification } = await import('./stripe-notification.ts')
    const told = readStripeNotification(bytes, signature?.toString())
    // A gateway account may serve several installations: another one's store is unknown here.
    if (told && (await findStoreById(told.storeId)))
      await inStore(told.storeId, (tx) => receiveNotification(tx, told.notification))
    return null
  },
})
