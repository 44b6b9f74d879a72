import Stripe from 'stripe'
import { config } from '#shared/platform/config/config.ts'
import { HOUR_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import { GatewayRefusal, type PaymentGateway } from './payments.ts'
import { toGatewayDispute, toGatewayRefund, toReceipt, toStatus } from './stripe-objects.ts'
import { toStripeUnits } from './stripe-units.ts'

// Stripe promises 24 hours; one hour is a margin for clock skew and calls in progress.
const KEY_LIFETIME_MS = 23 * HOUR_MS

let client: Stripe | undefined

/** The official library at its own API version; the host comes from the configuration. */
export function stripe(): Stripe {
  if (client) return client
  const { hostname, port, protocol } = new URL(config().STRIPE_API_URL)
  client = new Stripe(config().STRIPE_SECRET_KEY, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: config().STRIPE_TIMEOUT_MS,
    // The queue retries a failed call with back-off and the same key. (The library still repeats a call once, with the
    // same key, when its connection was closed.)
    maxNetworkRetries: 0,
    telemetry: false,
    appInfo: { name: process.env.PROCESS_NAME ?? 'commerce' },
  })
  return client
}

/** Stripe, or a server with its wire format at STRIPE_API_URL. */
export const stripeGateway = (): PaymentGateway => gateway

const gateway: PaymentGateway = {
  keyLifetimeMs: KEY_LIFETIME_MS,

  async open({ idempotencyKey, amountMinor, currency, metadata }) {
    const amount = toStripeUnits(amountMinor, currency)
    const intent = await callStripe((api) =>
      api.paymentIntents.create(
        { amount, currency: currency.toLowerCase(), automatic_payment_methods: { enabled: true }, metadata },
        { idempotencyKey },
      ),
    )
    if (!intent.client_secret) throw new Error(`The payment ${intent.id} has no client secret`)
    return { reference: intent.id, clientSecret: intent.client_secret }
  },

  async cancel({ idempotencyKey, reference }) {
    await callStripe((api) => api.paymentIntents.cancel(reference, {}, { idempotencyKey }))
  },

  async readPayment(reference) {
    return toStatus(await callStripe((api) => api.paymentIntents.retrieve(reference)))
  },

  async refund({ idempotencyKey, paymentReference, amountMinor, currency, metadata }) {
    const amount = toStripeUnits(amountMinor, currency)
    const refund = await callStripe((api) =>
      api.refunds.create({ payment_intent: paymentReference, amount, metadata }, { idempotencyKey }),
    )
    return toReceipt(refund)
  },

  async readRefund(reference) {
    return toReceipt(await callStripe((api) => api.refunds.retrieve(reference)))
  },

  async listRefunds(paymentReference) {
    return callStripe(async (api) => {
      const refunds = await Array.fromAsync(
        api.refunds.list({ payment_intent: paymentReference, limit: 100 }),
      )
      return refunds.flatMap((refund) => toGatewayRefund(refund) ?? [])
    })
  },

  async readDispute(reference) {
    return toGatewayDispute(await callStripe((api) => api.disputes.retrieve(reference)))
  },

  async listDisputes(paymentReference) {
    return callStripe(async (api) => {
      const disputes = await Array.fromAsync(
        api.disputes.list({ payment_intent: paymentReference, limit: 100 }),
      )
      return disputes.flatMap((dispute) => toGatewayDispute(dispute) ?? [])
    })
  },

  async *listEvents({ since, types }) {
    const created = { gte: Math.floor(since.getTime() / SECOND_MS) }
    for await (const { id, type, data } of stripe().events.list({ created, types: [...types], limit: 100 }))
      yield { id, type, object: data.object as unknown as Record<string, unknown> }
  },
}

/** Calls Stripe. A definite refusal becomes a `GatewayRefusal`; any other error leaves the outcome unknown. */
async function callStripe<T>(call: (api: Stripe) => Promise<T>): Promise<T> {
  try {
    return await call(stripe())
  } catch (error) {
    if (isRefusal(error))
      throw new GatewayRefusal(error.decline_code ?? error.code ?? error.type, error.message)
    throw error
  }
}

// A wrong key or missing permission (401, 403) is fixed by the operator, and a key conflict or rate limit ends: the queue
// retries these calls.
const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError
