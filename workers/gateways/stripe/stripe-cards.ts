import Stripe from 'stripe'
import { GatewayRefusal, type PaymentGateway } from '#workers/gateways/payments.ts'
import { callStripe } from './stripe-client.ts'
import { SHORT_LIST, walkList } from './stripe-lists.ts'
import { toOpened, toSavedCard, toSavedCardCharge, toSetupStatus } from './stripe-objects.ts'
import { toStripeUnits } from './stripe-units.ts'
import { assertSameId, toReference, toUnix } from './stripe-values.ts'

type SavedCards = Pick<
  PaymentGateway,
  | 'createCustomer'
  | 'openSetup'
  | 'cancelSetup'
  | 'readSetup'
  | 'chargeSavedCard'
  | 'findPayment'
  | 'readCard'
  | 'detachCard'
>

/** Saves cards with customers at Stripe, and charges them without the buyer. */
export const savedCards: SavedCards = {
  async createCustomer({ idempotencyKey, metadata }) {
    const { id } = await callStripe((api) => api.customers.create({ metadata }, { idempotencyKey }))
    return { reference: toReference(id) }
  },

  async openSetup({ idempotencyKey, customer, metadata }) {
    const setup = await callStripe((api) =>
      api.setupIntents.create(
        { customer, usage: 'off_session', allowed_payment_method_types: ['card'], metadata },
        { idempotencyKey },
      ),
    )
    return toOpened(setup)
  },

  async cancelSetup(reference) {
    const { status } = assertSameId(reference, await callStripe((api) => api.setupIntents.cancel(reference)))
    if (status !== 'canceled') throw new Error(`The gateway did not cancel the setup ${reference}`)
  },

  async readSetup(reference) {
    return toSetupStatus(
      assertSameId(reference, await callStripe((api) => api.setupIntents.retrieve(reference))),
    )
  },

  async chargeSavedCard({ idempotencyKey, customer, cardReference, amountMinor, currency, metadata }) {
    const charge: Stripe.PaymentIntentCreateParams = {
      amount: toStripeUnits(amountMinor, currency),
      currency: currency.toLowerCase(),
      metadata,
      customer,
      payment_method: cardReference,
      allowed_payment_method_types: ['card'],
      off_session: true,
      confirm: true,
    }
    const intent = await callStripe((api) =>
      api.paymentIntents.create(charge, { idempotencyKey }).catch(declinedIntent),
    )
    return toSavedCardCharge(intent)
  },

  async findPayment({ customer, since, metadata }) {
    const created = { gte: toUnix(since) }
    const wanted = Object.entries(metadata)
    const intents = walkList(
      (api, page) => api.paymentIntents.list({ customer, created, ...page }),
      SHORT_LIST,
    )
    for await (const intent of intents)
      if (wanted.every(([name, value]) => intent.metadata?.[name] === value)) return toOpened(intent)
    return null
  },

  async readCard(reference) {
    return toSavedCard(
      assertSameId(reference, await callStripe((api) => api.paymentMethods.retrieve(reference))),
    )
  },

  async detachCard(reference) {
    try {
      assertSameId(reference, await callStripe((api) => api.paymentMethods.detach(reference)))
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error
      const { customer } = assertSameId(
        reference,
        await callStripe((api) => api.paymentMethods.retrieve(reference)),
      )
      if (customer) throw error
    }
  },
}

/** Returns the payment intent of a decline. Stripe keeps it open for the buyer. */
function declinedIntent(error: unknown): Stripe.PaymentIntent {
  if (error instanceof Stripe.errors.StripeCardError && error.payment_intent) return error.payment_intent
  throw error
}
