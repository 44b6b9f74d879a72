import type Stripe from 'stripe'
import { log } from '#shared/platform/log.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import type { ListedPayment } from '#shared/reconciliation/find-unequal.ts'
import type { ListedNotification, PaymentGateway } from '#workers/gateways/payments.ts'
import { savedCards } from './stripe-cards.ts'
import { callStripe } from './stripe-client.ts'
import { SHORT_LIST, walkList } from './stripe-lists.ts'
import {
  toGatewayDispute,
  toGatewayRefund,
  toOpened,
  toPaymentStatus,
  toReceipt,
  toSavedCardReference,
} from './stripe-objects.ts'
import { toStripeUnits } from './stripe-units.ts'
import { assertSameId, toReference, toUnix } from './stripe-values.ts'

// Stripe promises 24 hours; one hour is a margin for clock skew and calls in progress.
const KEY_LIFETIME_MS = 23 * HOUR_MS

/** Stripe, or a server with its wire format at STRIPE_API_URL. */
export const stripeGateway = (): PaymentGateway => gateway

const gateway: PaymentGateway = {
  keyLifetimeMs: KEY_LIFETIME_MS,

  ...savedCards,

  async openPayment({ idempotencyKey, amountMinor, currency, customer, metadata }) {
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

  async cancelPayment(reference) {
    const { status } = assertSameId(
      reference,
      await callStripe((api) => api.paymentIntents.cancel(reference)),
    )
    if (status !== 'canceled') throw new Error(`The gateway did not cancel the payment ${reference}`)
  },

  async readPayment(reference) {
    const expand = ['payment_method']
    const intent = assertSameId(
      reference,
      await callStripe((api) => api.paymentIntents.retrieve(reference, { expand })),
    )
    return { ...toPaymentStatus(intent), cardReference: toSavedCardReference(intent) }
  },

  async refund({ idempotencyKey, paymentReference, amountMinor, currency, metadata }) {
    const amount = toStripeUnits(amountMinor, currency)
    const refund = await callStripe((api) =>
      api.refunds.create({ payment_intent: paymentReference, amount, metadata }, { idempotencyKey }),
    )
    return toReceipt(refund)
  },

  async readRefund(reference) {
    return toReceipt(assertSameId(reference, await callStripe((api) => api.refunds.retrieve(reference))))
  },

  async listRefunds(payment_intent) {
    const refunds = walkList((api, page) => api.refunds.list({ payment_intent, ...page }), SHORT_LIST)
    return (await Array.fromAsync(refunds)).flatMap((refund) => toGatewayRefund(refund) ?? [])
  },

  async readDispute(reference) {
    return toGatewayDispute(
      assertSameId(reference, await callStripe((api) => api.disputes.retrieve(reference))),
    )
  },

  async listDisputes(payment_intent) {
    const disputes = walkList((api, page) => api.disputes.list({ payment_intent, ...page }), SHORT_LIST)
    return (await Array.fromAsync(disputes)).flatMap((dispute) => toGatewayDispute(dispute) ?? [])
  },

  listPayments({ from, to }) {
    const created = { gte: toUnix(from), lt: toUnix(to) }
    const intents = walkList((api, page) => api.paymentIntents.list({ created, ...page }), PACED)
    return convertAll(intents, toListedPayment)
  },

  listRefundsSince(since) {
    const created = { gte: toUnix(since) }
    const refunds = walkList((api, page) => api.refunds.list({ created, ...page }), PACED)
    return convertAll(refunds, toGatewayRefund)
  },

  listDisputesSince(since) {
    const created = { gte: toUnix(since) }
    const disputes = walkList((api, page) => api.disputes.list({ created, ...page }), PACED)
    return convertAll(disputes, toGatewayDispute)
  },

  listNotifications({ since, types }) {
    const wanted = { created: { gte: toUnix(since) }, types: [...types] }
    const events = walkList((api, page) => api.events.list({ ...wanted, ...page }))
    return convertAll(events, toNotification)
  },

  async readNotification(id) {
    return toNotification(assertSameId(id, await callStripe((api) => api.events.retrieve(id))))
  },
}

const toListedPayment = (intent: Stripe.PaymentIntent): ListedPayment => ({
  reference: toReference(intent.id),
  status: toPaymentStatus(intent),
  storeId: intent.metadata?.store_id ?? null,
})

/**
 * Returns the converted items of a list of the whole account, without nulls. An item that cannot be read is left out,
 * so that one item does not stop the work of all stores. The comparison of the books reads a captured payment or a
 * refund of ours that is missing in its list separately.
 */
async function* convertAll<T extends { id: string }, R>(
  items: AsyncIterable<T>,
  convert: (item: T) => R | null,
): AsyncGenerator<R> {
  for await (const item of items) {
    const converted = tryToConvert(item, convert)
    if (converted !== null) yield converted
  }
}

/** Converts an item; null if it cannot be read. */
function tryToConvert<T extends { id: string }, R>(item: T, convert: (item: T) => R): R | null {
  try {
    return convert(item)
  } catch (error) {
    log.error(
      { err: error, reference: item.id.slice(0, 255) },
      'an item of a list of the gateway cannot be read',
    )
    return null
  }
}

const toNotification = ({ id, type, data }: Stripe.Event): ListedNotification => ({
  id,
  type,
  object: data.object as unknown as Record<string, unknown>,
})

// Allow cards only: other methods of Stripe cannot be saved, or are paid days later.
const savedFor = (customer: string): Partial<Stripe.PaymentIntentCreateParams> => ({
  customer,
  setup_future_usage: 'off_session',
  allowed_payment_method_types: ['card'],
})

/** The pause allows ten pages per second, a tenth of Stripe's limit. Payments need the rest. */
const PACED = { pauseMs: 100 }
