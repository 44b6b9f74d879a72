import { setTimeout } from 'node:timers/promises'
import type Stripe from 'stripe'
import { HOUR_MS, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { ListedNotification, PaymentGateway } from '#workers/gateways/payments.ts'
import { savedCards } from './stripe-cards.ts'
import { callStripe, stripe } from './stripe-client.ts'
import {
  toGatewayDispute,
  toGatewayRefund,
  toOpened,
  toReceipt,
  toSavedCardReference,
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
    return { ...toStatus(intent), cardReference: toSavedCardReference(intent) }
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

  async *listPayments({ from, to }) {
    const created = { gte: toUnix(from), lt: toUnix(to) }
    for await (const intent of paced(stripe().paymentIntents.list({ created, limit: PAGE })))
      yield {
        reference: intent.id,
        status: toStatus(intent),
        storeId: intent.metadata.store_id ?? null,
      }
  },

  async *listRefundsSince(since) {
    for await (const refund of paced(
      stripe().refunds.list({ created: { gte: toUnix(since) }, limit: PAGE }),
    )) {
      const ours = toGatewayRefund(refund)
      if (ours) yield ours
    }
  },

  async *listDisputesSince(since) {
    for await (const dispute of paced(
      stripe().disputes.list({ created: { gte: toUnix(since) }, limit: PAGE }),
    )) {
      const ours = toGatewayDispute(dispute)
      if (ours) yield ours
    }
  },

  async *listNotifications({ since, types }) {
    const created = { gte: toUnix(since) }
    for await (const event of stripe().events.list({ created, types: [...types], limit: PAGE }))
      yield toNotification(event)
  },

  async readNotification(id) {
    return toNotification(await callStripe((api) => api.events.retrieve(id)))
  },
}

const toNotification = ({ id, type, data }: Stripe.Event): ListedNotification => ({
  ...{ id, type },
  object: data.object as unknown as Record<string, unknown>,
})

// Allow cards only: other methods of Stripe cannot be saved, or are paid days later.
const savedFor = (customer: string): Partial<Stripe.PaymentIntentCreateParams> => ({
  customer,
  setup_future_usage: 'off_session',
  allowed_payment_method_types: ['card'],
})

const toUnix = (time: Date): number => Math.floor(time.getTime() / SECOND_MS)

const PAGE = 100
/** The pause allows ten pages per second, a tenth of Stripe's limit. Payments need the rest. */
const PAGE_PAUSE_MS = 100

/** Returns the items of a list, with a pause after each page. */
async function* paced<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  let count = 0
  for await (const item of items) {
    yield item
    if (++count % PAGE === 0) await setTimeout(PAGE_PAUSE_MS)
  }
}
