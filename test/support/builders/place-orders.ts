import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import '#test/support/processes/gateway.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { NewStore } from '#shared/stores/lifecycle/create-store.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildCheckoutRequest } from '#test/support/builders/orders.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const { hostname, port } = new URL(gateway.url)

/** Stripe's library, as a buyer's browser uses it. */
export const stripe = new Stripe(gateway.secretKey, {
  host: hostname,
  port: Number(port),
  protocol: 'http',
  maxNetworkRetries: 0,
})

/** A store that sells one variant of `units` at 10.00, shipped for 5.00, with every payment method. */
export async function buildShop(units = 100, given: Partial<NewStore> = {}) {
  const store = await buildStore(given)
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: units }] })
  const shipping = await buildShippingMethod(store)
  await buildPaymentMethods(store)
  return { store, variantId: variants[0]?.id ?? '', shipping }
}

/** Fills a guest's cart over HTTP and returns its token. */
export async function fillCart(store: BuiltStore, variantId: string, quantity = 1): Promise<string> {
  const { data } = await request('POST /cart/items', { store, body: { variant_id: variantId, quantity } })
  return data.token
}

interface Checkout {
  cart?: string
  token?: string
  key?: string
  body?: object
  /** Waits until a worker has opened the payment. */
  waitForPayment?: boolean
}

/** Checks out over HTTP, by default without waiting for a card payment to be opened. */
export function checkOut(
  { store, shipping }: { store: BuiltStore; shipping: { id: string } },
  { cart, token, key = randomUUID(), body = {}, waitForPayment = false }: Checkout,
): Promise<ApiResponse> {
  return request('POST /checkout', {
    store,
    key,
    ...(cart ? { cart } : {}),
    ...(token ? { token } : {}),
    ...(waitForPayment ? {} : { headers: { Prefer: 'respond-async' } }),
    body: { ...buildCheckoutRequest(shipping.id), ...body },
  })
}

/** An order with a card payment that is opened at the gateway and ready to be confirmed. */
export async function placeCardOrder(
  shop: Awaited<ReturnType<typeof buildShop>>,
  quantity = 1,
  body: object = {},
) {
  const cart = await fillCart(shop.store, shop.variantId, quantity)
  const { data } = await checkOut(shop, { cart, body })
  await drainJobs()
  const reference = await referenceOf(shop.store, data.payment.id)
  return { id: data.order.id, accessToken: data.order.access_token, paymentId: data.payment.id, reference }
}

/** The gateway's id of a payment. */
export async function referenceOf(store: { id: string }, paymentId: string): Promise<string> {
  const payment = await inStore(store.id, (tx) => Payment.in(tx).findById(paymentId).throwIfNotFound())
  return payment.gatewayReference ?? ''
}

/** Confirms a payment at the gateway and returns the intent. A declined card is not an error. */
export async function confirm(reference: string, card = 'pm_card_visa'): Promise<Stripe.PaymentIntent> {
  await stripe.paymentIntents.confirm(reference, { payment_method: card }).catch((error) => {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
  })
  return stripe.paymentIntents.retrieve(reference)
}
