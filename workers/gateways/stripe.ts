import Stripe from 'stripe'
import { config } from '#shared/platform/config/config.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { GatewayRefusal, type PaymentGateway, type RefundReceipt } from './payments.ts'
import { toStripeUnits } from './stripe-units.ts'

// Stripe promises 24 hours; an hour is left for clocks that differ and calls under way.
const KEEPS_KEYS_MS = 23 * HOUR_MS

let connected: Stripe | undefined

/** The official library at its own API version, with only its host taken from the configuration. */
export function stripe(): Stripe {
  if (connected) return connected
  const { hostname, port, protocol } = new URL(config().STRIPE_API_URL)
  connected = new Stripe(config().STRIPE_SECRET_KEY, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: config().STRIPE_TIMEOUT_MS,
    // The queue repeats a call that failed, with its pauses and the same key. (The library itself still repeats one
    // whose connection was closed, once, with the same key.)
    maxNetworkRetries: 0,
    telemetry: false,
    appInfo: { name: process.env.PROCESS_NAME ?? 'commerce' },
  })
  return connected
}

/** Stripe, or whatever speaks its wire format at STRIPE_API_URL. */
export const stripeGateway = (): PaymentGateway => gateway

const gateway: PaymentGateway = {
  keepsKeysMs: KEEPS_KEYS_MS,

  async open({ idempotencyKey, amountMinor, currency, metadata }) {
    const amount = toStripeUnits(amountMinor, currency)
    const intent = await asked((api) =>
      api.paymentIntents.create(
        { amount, currency: currency.toLowerCase(), automatic_payment_methods: { enabled: true }, metadata },
        { idempotencyKey },
      ),
    )
    if (!intent.client_secret) throw new Error(`The payment ${intent.id} came without a client secret`)
    return { reference: intent.id, clientSecret: intent.client_secret }
  },

  async cancel({ idempotencyKey, reference }) {
    await asked((api) => api.paymentIntents.cancel(reference, {}, { idempotencyKey }))
  },

  async refund({ idempotencyKey, paymentReference, amountMinor, currency, metadata }) {
    const amount = toStripeUnits(amountMinor, currency)
    const refund = await asked((api) =>
      api.refunds.create({ payment_intent: paymentReference, amount, metadata }, { idempotencyKey }),
    )
    return toReceipt(refund)
  },

  async readRefund(reference) {
    return toReceipt(await asked((api) => api.refunds.retrieve(reference)))
  },

  async findRefund({ paymentReference, refundId }) {
    return asked(async (api) => {
      for await (const refund of api.refunds.list({ payment_intent: paymentReference, limit: 100 }))
        if (refund.metadata?.refund_id === refundId) return toReceipt(refund)
      return null
    })
  },
}

/** Calls Stripe, and tells its definite refusals from failures that leave the outcome open. */
async function asked<T>(call: (api: Stripe) => Promise<T>): Promise<T> {
  try {
    return await call(stripe())
  } catch (error) {
    if (isRefusal(error))
      throw new GatewayRefusal(error.decline_code ?? error.code ?? error.type, error.message)
    throw error
  }
}

// A wrong key or missing permission (401, 403) is the operator's to mend, and a key's clash or a limit passes: those
// calls are repeated.
const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError

const STATUSES = ['succeeded', 'pending', 'requires_action', 'failed', 'canceled'] as const

/** Stripe's refund, as its answers and its notifications carry it, as a receipt. */
export function toReceipt(refund: Pick<Stripe.Refund, 'id' | 'status' | 'failure_reason'>): RefundReceipt {
  const status = STATUSES.find((known) => known === refund.status)
  if (!status) throw new Error(`The refund ${refund.id} has the unknown status ${refund.status}`)
  return { reference: refund.id, status, failureReason: refund.failure_reason ?? null }
}
