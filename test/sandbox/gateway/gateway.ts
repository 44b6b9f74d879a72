import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type Api, answerCall } from './api.ts'
import { type Arrival, type ArrivalFilter, Arrivals, type Phase } from './arrivals.ts'
import { Books, newId } from './books.ts'
import { answerPreflight } from './browser-access.ts'
import { answerControl } from './control.ts'
import { missing } from './errors.ts'
import type { Context } from './events.ts'
import { readExchange } from './exchange.ts'
import { Faults } from './faults.ts'
import { HeldRequests } from './held-requests.ts'
import { Idempotency } from './idempotency.ts'
import type { Charge, Dispute, PaymentIntent, PaymentMethod, Refund, SetupIntent } from './types.ts'
import { Webhooks } from './webhooks.ts'

export type GatewayOptions = {
  /** 0, the default, picks a free one. */
  port?: number
  secretKey?: string
  webhookUrls?: string[]
  webhookSecret?: string
  /** The number of delivery attempts, and the wait before the second one; it doubles up to 5 s. */
  webhookAttempts?: number
  webhookFirstRetryMs?: number
  /** A journal file that survives a restart. Default: in memory only. */
  stateFile?: string
  /** The control in a test of idempotency: without idempotency, retries apply twice. */
  ignoreIdempotencyKeys?: boolean
}

export type Ledger = {
  payment_intents: PaymentIntent[]
  charges: Charge[]
  refunds: Refund[]
  disputes: Dispute[]
  setup_intents: SetupIntent[]
  payment_methods: PaymentMethod[]
}

export type Gateway = {
  url: string
  secretKey: string
  webhookSecret: string
  faults: Faults
  arrivals: Arrivals
  webhooks: Webhooks
  /** Calls the listener at every phase of every request; returns a function that unsubscribes it. */
  on(phase: Phase, listener: (arrival: Arrival) => void): () => void
  /** The first phase that matches, past ones included (`after` skips those). Rejects after `timeoutMs`, 30 s. */
  waitFor(phase: Phase, filter?: Omit<ArrivalFilter, 'phase'>, timeoutMs?: number): Promise<Arrival>
  /** Releases every held request and returns their number. */
  release(): Promise<number>
  ledger(): Ledger
  resend(eventId: string): void
  /** Makes a change outside a request, for a bank's decision. */
  change<Result>(work: (context: Context) => Result): Result
  stop(): Promise<void>
}

/** Starts a payment gateway that speaks Stripe's wire format, on 127.0.0.1. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { secretKey = 'sk_test_sandbox', webhookSecret = 'whsec_sandbox', webhookUrls = [] } = options
  const books = new Books(options.stateFile)
  const webhooks = new Webhooks(books, {
    urls: webhookUrls,
    secret: webhookSecret,
    attempts: options.webhookAttempts ?? 12,
    firstRetryMs: options.webhookFirstRetryMs ?? 100,
  })
  const server = createServer((request, response) => void answer(request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const faults = new Faults()
  const arrivals = new Arrivals()
  const held = new HeldRequests()
  const api: Api = {
    secretKey,
    url,
    books,
    arrivals,
    faults,
    held,
    idempotency: options.ignoreIdempotencyKeys ? undefined : new Idempotency(books),
    listeners: webhookUrls.length,
    send: (...events) => webhooks.send(...events),
  }
  const gateway: Gateway = {
    url,
    secretKey,
    webhookSecret,
    faults,
    arrivals,
    webhooks,
    on: (phase, listener) => arrivals.on(phase, listener),
    async waitFor(phase, filter = {}, timeoutMs = 30_000) {
      const [first] = await arrivals.waitFor({ ...filter, phase }, AbortSignal.timeout(timeoutMs))
      if (!first)
        throw new Error(`No request was ${phase} within ${timeoutMs} ms (${JSON.stringify(filter)})`)
      return first
    },
    async release() {
      await setImmediate() // a listener may call this before the request is held
      return held.release()
    },
    ledger: () => ({
      payment_intents: books.all('payment_intents'),
      charges: books.all('charges'),
      refunds: books.all('refunds'),
      disputes: books.all('disputes'),
      setup_intents: books.all('setup_intents'),
      payment_methods: books.all('payment_methods'),
    }),
    resend(eventId) {
      const event = books.find('events', eventId)
      if (!event) throw missing('event', eventId, 'id')
      webhooks.send(event)
    },
    change: (work) => changeBooks(api, work),
    async stop() {
      if (!server.listening) return
      webhooks.stop()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      books.close()
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    try {
      const exchange = await readExchange(request, response)
      if (exchange.path.startsWith('/_sandbox/')) await answerControl(gateway, exchange)
      else if (exchange.method === 'OPTIONS') await answerPreflight(exchange)
      else await answerCall(api, exchange)
    } catch (error) {
      if (!request.readableAborted) console.error(error) // an error of the gateway, or a body over its limit
      response.socket?.destroy()
    }
  }
  return gateway
}

function changeBooks<Result>(api: Api, work: (context: Context) => Result): Result {
  try {
    return work({ ...api, requestId: newId('req'), idempotencyKey: null })
  } finally {
    api.send(...api.books.commit())
  }
}
