import Stripe from 'stripe'
import { type Gateway, type GatewayOptions, startGateway } from '#test/sandbox/gateway/gateway.ts'

/** The official library, unmodified. Default: no retries. */
export function stripeFor(
  gateway: Gateway,
  options: { key?: string; timeout?: number; worker?: string } = {},
) {
  const { hostname, port } = new URL(gateway.url)
  return new Stripe(options.key ?? gateway.secretKey, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
  })
}

/** A gateway and its client, closed at the end of the block (`await using`). */
export async function openGateway(options: GatewayOptions = {}) {
  const gateway = await startGateway(options)
  return { gateway, stripe: stripeFor(gateway), [Symbol.asyncDispose]: () => gateway.stop() }
}

export const newIntent = (
  stripe: Stripe,
  amount = 2500,
  more: Partial<Stripe.PaymentIntentCreateParams> = {},
) =>
  stripe.paymentIntents.create({
    amount,
    currency: 'eur',
    automatic_payment_methods: { enabled: true },
    metadata: { order_id: 'order-7' },
    ...more,
  })

export async function paidIntent(stripe: Stripe, amount = 2500, payment_method = 'pm_card_visa') {
  const { id } = await newIntent(stripe, amount)
  return stripe.paymentIntents.confirm(id, { payment_method })
}

/** The error that a call rejects with. */
export async function failureOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const failed = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  // A copy: assertions compare parts of plain objects, not of errors.
  if (failed instanceof Stripe.errors.StripeError) return { ...failed, message: failed.message }
  throw new Error(`expected one of Stripe's errors, got ${failed}`)
}
