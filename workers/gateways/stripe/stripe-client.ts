import Stripe from 'stripe'
import { config } from '#shared/platform/config/config.ts'
import { GatewayRefusal } from '#workers/gateways/payments.ts'
import { StripeHttpClient } from './stripe-http-client.ts'

let client: Stripe | undefined

/** Returns the official library at its own API version; the host is configured. */
export function stripe(): Stripe {
  if (client) return client
  const { hostname, port, protocol } = new URL(config().STRIPE_API_URL)
  client = new Stripe(config().STRIPE_SECRET_KEY, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: config().STRIPE_TIMEOUT_MS,
    httpClient: new StripeHttpClient(),
    // The queue retries a failed call with back-off and the same key. (The library still repeats a call once, with the
    // same key, when its connection was closed.)
    maxNetworkRetries: 0,
    telemetry: false,
    appInfo: { name: process.env.PROCESS_NAME ?? 'commerce' },
  })
  return client
}

/** Calls Stripe. A definite refusal becomes a `GatewayRefusal`; any other error leaves the outcome unknown. */
export async function callStripe<T>(call: (api: Stripe) => Promise<T>): Promise<T> {
  try {
    return await call(stripe())
  } catch (error) {
    if (isRefusal(error))
      throw new GatewayRefusal(error.decline_code ?? error.code ?? error.type, error.message)
    throw unknownOutcome(error)
  }
}

/**
 * Returns the error of an unknown outcome. Staff read its text while the queue repeats the call, so it names the kind
 * of fault, but no hosts and keys.
 */
function unknownOutcome(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { type, statusCode } = error
  const fault = statusCode ? `${type}, status ${statusCode}` : type
  return new Error(`The payment gateway gave no result (${fault})`, { cause: error })
}

// The queue retries other errors: the operator can fix a wrong key or missing permission (401, 403), and a key conflict
// or rate limit is temporary.
const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError
