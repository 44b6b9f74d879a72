import type Stripe from 'stripe'
import { HOUR_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { PaymentGateway } from './payments.ts'
import { savedCards } from './stripe-cards.ts'
import { callStripe, stripe } from './stripe-client.ts'
import {
  toGatewayDispute,
  toGatewayRefund,
  toOpened,
  toReceipt,
  toSavedMethod,
  toStatus,
} from './stripe-objects.ts'
import { toStripeUnits } from './stripe-units.ts'

// Stripe promises 24 hours; one hour is a margin for clock skew and calls in progress.
const KEY_LIFETIME_MS = 23 * HOUR_MS

/** Stripe, or a server with its wire format at STRIPE_API_URL. */
export const stripeGateway = (): PaymentGateway => gateway

const gateway: PaymentGateway = {
  keyLifetimeMs: KEY_LIFETIME_MS,

  ...savedCards,

  async open({ idempotencyKey, amountMinor, currency, customer, metadata }) {
    const amount = toStripeUnits(amountMinor, currency)
    const method = customer ? savedFor(customer) : { automatic_payment_methods: { enabled: true } }
    const intent = await callStripe((api) =>
      api.paymentIntents.create(
        { amount, currency: currency.toLowerCase(), ...method, metadata },
        { idempotencyKey },
      ),
    )
    return toOpened(intent)
  },

  async cancel(reference) {
    await callStripe((api) => api.paymentIntents.cancel(reference))
  },

  async readPayment(reference) {
    const intent = await callStripe((api) =>
      api.paymentIntents.retrieve(reference, { expand: ['payment_method'] }),
    )
    return { ...toStatus(intent), paymentMethod: toSavedMethod(intent) }
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

// Only a card: other methods that Stripe may offer cannot be saved, or are paid days later.
const savedFor = (customer: string): Partial<Stripe.PaymentIntentCreateParams> => ({
  customer,
  setup_future_usage: 'off_session',
  allowed_payment_method_types: ['card'],
})
