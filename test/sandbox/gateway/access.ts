import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from './errors.ts'
import type { Context } from './events.ts'
import { type Params, text } from './params.ts'
import type { Route } from './routes.ts'

export type Caller = 'server' | 'browser'

/**
 * The caller: the merchant's server with the secret key, or a shopper's browser with a publishable one.
 * @throws 401 in Stripe's format
 */
export function authenticate(headers: IncomingHttpHeaders, secretKey: string): Caller {
  const key = keyFrom(headers.authorization)
  if (!key) throw unauthorized('You did not provide an API key.')
  if (key === secretKey) return 'server'
  if (/^pk_test_\w+$/.test(key)) return 'browser'
  throw unauthorized(
    `Invalid API Key provided: ${key.slice(0, 8)}****${key.length > 16 ? key.slice(-4) : ''}`,
  )
}

/** Restricts a browser to the one intent whose client secret it sends. */
export function allowCaller(caller: Caller, route: Route, context: Context, params: Params, id: string) {
  if (caller === 'server') return
  if (!route.browser) throw unauthorized('This API call cannot be made with a publishable API key.')
  const intent = route.browser(context, id)
  if (intent.client_secret === text(params, 'client_secret')) return
  const kind = intent.object === 'setup_intent' ? 'SetupIntent' : 'PaymentIntent'
  throw unauthorized(`The client_secret provided does not match the one associated with the ${kind}.`)
}

function keyFrom(authorization = '') {
  const [scheme, value = ''] = authorization.split(' ')
  if (scheme?.toLowerCase() === 'bearer') return value
  // The format of `curl -u sk_test_…:`.
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString().split(':')[0]
  return undefined
}
