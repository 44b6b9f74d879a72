import Stripe from 'stripe'
import { config } from '#shared/platform/config/config.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { GatewayRefusal, type PaymentGateway, type RefundReceipt } from './payments.ts'
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

  async findRefund({ paymentReference, refundId }) {
    return callStripe(async (api) => {
      for await (const refund of api.refunds.list({ payment_intent: paymentReference, limit: 100 }))
        if (refund.metadata?.refund_id === refundId) return toReceipt(refund)
      return null
    })
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

const STATUSES = ['succeeded', 'pending', 'requires_action', 'failed', 'canceled'] as const

/** Converts a refund of Stripe's responses and notifications. */
export function toReceipt(refund: Pick<Stripe.Refund, 'id' | 'status' | 'failure_reason'>): RefundReceipt {
  const status = STATUSES.find((known) => known === refund.status)
  if (!status) throw new Error(`The refund ${refund.id} has the unknown status ${refund.status}`)
  return { reference: refund.id, status, failureReason: refund.failure_reason ?? null }
}
