import type { ArrivalFilter, Phase } from './arrivals.ts'
import { authenticationPage } from './authentication-page.ts'
import { sendLibrary } from './browser-access.ts'
import { finishAuthentication } from './charge-intent.ts'
import { changeDispute, type NewDispute, openDispute } from './disputes.ts'
import { GatewayError } from './errors.ts'
import type { Context } from './events.ts'
import { type Exchange, reply } from './exchange.ts'
import type { FaultRule } from './faults.ts'
import type { Gateway } from './gateway.ts'
import { parseForm, text } from './params.ts'
import { findIntent } from './payment-intents.ts'
import { type CardBehaviour, changeBehaviour } from './payment-methods.ts'
import { createRefund, settleRefund } from './refunds.ts'
import { matchPath } from './routes.ts'
import { findSetup, finishSetup } from './setup-intents.ts'
import type { DisputeStatus, PaymentIntent, RefundStatus, SetupIntent } from './types.ts'

type Control = (gateway: Gateway, exchange: Exchange, id: string) => unknown

const LONGEST_WAIT_MS = 60_000

/** The gateway's control API for tests: paths under `/_sandbox`, not Stripe's, without a key. */
const CONTROLS: Record<string, Control> = {
  'GET /_sandbox/stripe.js': (_, exchange) => sendLibrary(exchange),
  'GET /_sandbox/faults': ({ faults }) => ({ faults: faults.list() }),
  'POST /_sandbox/faults': ({ faults }, { body }) => ({
    faults: faults.set(...rulesIn(body)),
  }),
  'DELETE /_sandbox/faults': ({ faults }) => {
    faults.clear()
    return { faults: [] }
  },
  'POST /_sandbox/release': async (gateway) => ({
    released: await gateway.release(),
  }),
  'GET /_sandbox/arrivals': async ({ arrivals }, { query, gone }) => {
    const waiting = AbortSignal.any([gone, AbortSignal.timeout(waitIn(query))])
    return { arrivals: await arrivals.waitFor(filterIn(query), waiting) }
  },
  'GET /_sandbox/ledger': (gateway) => gateway.ledger(),
  'GET /_sandbox/webhooks': ({ webhooks }) => ({
    waiting: webhooks.waiting,
    paused: webhooks.paused,
    deliveries: webhooks.deliveries,
  }),
  'POST /_sandbox/webhooks/pause': ({ webhooks }) => webhooks.pause(),
  'POST /_sandbox/webhooks/resume': ({ webhooks }) => webhooks.resume(),
  // The events of these types are never delivered. They stay in the gateway's list of events.
  'POST /_sandbox/webhooks/lose': ({ webhooks }, { body }) => {
    const { types } = JSON.parse(body) as { types: string[] }
    webhooks.lose(types)
    return { types }
  },
  'POST /_sandbox/events/:id/resend': (gateway, _, id) => gateway.resend(id),
  // A refund that is made in the gateway's dashboard: without this service's metadata.
  'POST /_sandbox/refunds': (gateway, { body }) => {
    const { payment_intent, amount } = JSON.parse(body) as { payment_intent: string; amount?: number }
    const params = { payment_intent, ...(amount === undefined ? {} : { amount: String(amount) }) }
    return gateway.change((context) => createRefund(context, params))
  },
  'POST /_sandbox/disputes': (gateway, { body }) =>
    gateway.change((context) => openDispute(context, JSON.parse(body) as NewDispute)),
  'POST /_sandbox/disputes/:id': (gateway, { body }, id) => {
    const { status } = JSON.parse(body) as { status: DisputeStatus }
    return gateway.change((context) => changeDispute(context, id, status))
  },
  'POST /_sandbox/refunds/:id/settle': (gateway, { body }, id) => {
    const { status } = JSON.parse(body || '{}') as { status?: RefundStatus }
    return gateway.change((context) => settleRefund(context, id, status ?? 'succeeded'))
  },
  'GET /_sandbox/payment_intents/:id/authenticate': (gateway, _, id) =>
    gateway.change((context) => authenticationPage(findIntent(context, id))),
  'POST /_sandbox/payment_intents/:id/authenticate': (gateway, exchange, id) =>
    answerBank(gateway, exchange, id, { find: findIntent, finish: finishAuthentication }),
  'GET /_sandbox/setup_intents/:id/authenticate': (gateway, _, id) =>
    gateway.change((context) => authenticationPage(findSetup(context, id))),
  'POST /_sandbox/setup_intents/:id/authenticate': (gateway, exchange, id) =>
    answerBank(gateway, exchange, id, { find: findSetup, finish: finishSetup }),
  // From now on the charges of this payment method succeed, are declined, or require authentication.
  'POST /_sandbox/payment_methods/:id': (gateway, { body }, id) =>
    gateway.change((context) => changeBehaviour(context, id, JSON.parse(body) as CardBehaviour)),
}

export async function answerControl(gateway: Gateway, exchange: Exchange): Promise<void> {
  try {
    for (const [name, control] of Object.entries(CONTROLS)) {
      const [method, path = ''] = name.split(' ')
      const id = method === exchange.method ? matchPath(path, exchange.path) : undefined
      if (id === undefined) continue
      const body = (await control(gateway, exchange, id)) ?? {}
      if (!exchange.response.headersSent) await reply(exchange, { status: 200, body })
      return
    }
    await reply(exchange, {
      status: 404,
      body: {
        error: `No such control; there are ${Object.keys(CONTROLS).join(', ')}`,
      },
    })
  } catch (error) {
    const status = error instanceof GatewayError ? error.status : 400
    await reply(exchange, {
      status,
      body: { error: error instanceof Error ? error.message : String(error) },
    })
  }
}

/** An object that a bank's page completes. */
type Authenticatable<Intent> = {
  find(context: Context, id: string): Intent
  finish(context: Context, intent: Intent, agreed: boolean): unknown
}

/** The cardholder's decision, from the bank's page or from a test; a browser is redirected to the return URL. */
async function answerBank<Intent extends PaymentIntent | SetupIntent>(
  gateway: Gateway,
  exchange: Exchange,
  id: string,
  { find, finish }: Authenticatable<Intent>,
) {
  const json = exchange.headers['content-type']?.includes('json')
  const outcome = json
    ? (JSON.parse(exchange.body) as { outcome: string }).outcome
    : text(parseForm(exchange.body), 'outcome')
  const before = gateway.change((context) => find(context, id))
  try {
    gateway.change((context) => finish(context, before, outcome !== 'refuse'))
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status !== 402) throw error // 402: the cardholder declined
  }
  const back =
    before.next_action?.type === 'redirect_to_url' ? before.next_action.redirect_to_url.return_url : undefined
  const after = gateway.change((context) => find(context, id))
  if (json || !back) return after
  const location = new URL(back)
  location.searchParams.set(before.object, id)
  location.searchParams.set(`${before.object}_client_secret`, before.client_secret)
  location.searchParams.set(
    'redirect_status',
    after.status === 'requires_payment_method' ? 'failed' : 'succeeded',
  )
  return reply(exchange, { status: 303, body: {} }, { location: location.href })
}

function rulesIn(body: string): FaultRule[] {
  const rules = JSON.parse(body) as FaultRule | FaultRule[]
  return Array.isArray(rules) ? rules : [rules]
}

const filterIn = (query: URLSearchParams): ArrivalFilter => ({
  after: Number(query.get('after') ?? 0),
  phase: (query.get('phase') as Phase | null) ?? undefined,
  path: query.get('path') ?? undefined,
})

const waitIn = (query: URLSearchParams) =>
  Math.min(Number(query.get('timeout_ms') ?? 25_000), LONGEST_WAIT_MS)
