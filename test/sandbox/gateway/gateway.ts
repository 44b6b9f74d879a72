import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type Api, answerCall } from './api.ts'
import { type Arrival, type ArrivalFilter, Arrivals, type Phase } from './arrivals.ts'
import { Books, newId } from './books.ts'
import { answerControl } from './control.ts'
import { missing } from './errors.ts'
import type { Desk } from './events.ts'
import { readExchange } from './exchange.ts'
import { Faults } from './faults.ts'
import { HeldRequests } from './held-requests.ts'
import { Idempotency } from './idempotency.ts'
import type { Charge, PaymentIntent, Refund } from './types.ts'
import { Webhooks } from './webhooks.ts'

export type GatewayOptions = {
  /** 0, the default, picks a free one. */
  port?: number
  secretKey?: string
  webhookUrls?: string[]
  webhookSecret?: string
  /** How often an event is tried, and the wait before the second time; it doubles from there, up to 5 s. */
  webhookAttempts?: number
  webhookFirstRetryMs?: number
  /** Keeps everything over a restart; without it nothing is kept. */
  stateFile?: string
  /** The control in a test of idempotency: with it, retries double. */
  ignoreIdempotencyKeys?: boolean
}

export type Ledger = {
  payment_intents: PaymentIntent[]
  charges: Charge[]
  refunds: Refund[]
}

export type Gateway = {
  url: string
  secretKey: string
  webhookSecret: string
  faults: Faults
  arrivals: Arrivals
  webhooks: Webhooks
  /** Calls the listener at every step of every request; returns what ends that. */
  on(phase: Phase, listener: (arrival: Arrival) => void): () => void
  /** The first step that matches, past ones included (`after` skips those). Rejects after `timeoutMs`, 30 s. */
  waitFor(phase: Phase, filter?: Omit<ArrivalFilter, 'phase'>, timeoutMs?: number): Promise<Arrival>
  /** Lets every held request go on; says how many. */
  release(): Promise<number>
  ledger(): Ledger
  resend(eventId: string): void
  /** Makes a change that is nobody's request, such as a bank's answer. */
  change<Result>(work: (desk: Desk) => Result): Result
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
    ...{ secretKey, url, books, arrivals, faults, held },
    idempotency: options.ignoreIdempotencyKeys ? undefined : new Idempotency(books),
    listeners: webhookUrls.length,
    send: (...events) => webhooks.send(...events),
  }
  const gateway: Gateway = {
    ...{ url, secretKey, webhookSecret, faults, arrivals, webhooks },
    on: (phase, listener) => arrivals.on(phase, listener),
    async waitFor(phase, filter = {}, timeoutMs = 30_000) {
      const [first] = await arrivals.waitFor({ ...filter, phase }, AbortSignal.timeout(timeoutMs))
      if (!first)
        throw new Error(`No request was ${phase} within ${timeoutMs} ms (${JSON.stringify(filter)})`)
      return first
    },
    async release() {
      await setImmediate() // whoever was just told of a step may be quicker than the hold that follows it
      return held.release()
    },
    ledger: () => ({
      payment_intents: books.all('payment_intents'),
      charges: books.all('charges'),
      refunds: books.all('refunds'),
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
      else await answerCall(api, exchange)
    } catch (error) {
      if (!request.readableAborted) console.error(error) // a fault of the gateway itself, or a body past its limit
      response.socket?.destroy()
    }
  }
  return gateway
}

function changeBooks<Result>(api: Api, work: (desk: Desk) => Result): Result {
  try {
    return work({ ...api, requestId: newId('req'), idempotencyKey: null })
  } finally {
    api.send(...api.books.commit())
  }
}
