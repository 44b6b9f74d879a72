import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Books } from './books.ts'
import { unixNow } from './books.ts'
import type { Event } from './types.ts'

export type WebhookOptions = {
  urls: string[]
  secret: string
  attempts: number
  firstRetryMs: number
}

/** One delivery attempt of an event. */
export type Delivery = {
  event: string
  type: string
  url: string
  attempt: number
  status: number | null
}

const AT_ONCE = 10
const KEPT = 10_000
const LONGEST_RETRY_MS = 5_000
const TIMEOUT_MS = 10_000

/** Sends events in the background until they are accepted. Undelivered events are sent again after a restart. */
export class Webhooks {
  readonly deliveries: Delivery[] = []
  readonly #options: WebhookOptions
  readonly #books: Books
  readonly #stopped = new AbortController()
  readonly #emitter = new EventEmitter().setMaxListeners(0)
  #queue: Event[] = []
  #sending = 0
  #paused = false
  #lost = new Set<string>()

  constructor(books: Books, options: WebhookOptions) {
    this.#books = books
    this.#options = options
    this.send(...books.all('events').filter((event) => event.pending_webhooks > 0))
  }

  send(...events: Event[]) {
    if (this.#options.urls.length > 0) this.#queue.push(...events.filter(({ type }) => !this.#lost.has(type)))
    this.#pump()
  }

  /** Holds events back, so that a test can check a caller without them. */
  pause() {
    this.#paused = true
  }

  resume() {
    this.#paused = false
    this.#pump()
  }

  /** Never delivers the events of these types. They stay in the list of events, as at a gateway. */
  lose(types: readonly string[]) {
    this.#lost = new Set(types)
  }

  get paused() {
    return this.#paused
  }

  get waiting() {
    return this.#queue.length + this.#sending
  }

  /** Resolves when every event is delivered or given up. */
  async settled() {
    while (this.waiting > 0) await once(this.#emitter, 'done')
  }

  stop() {
    this.#queue = []
    this.#stopped.abort()
  }

  #pump() {
    while (!this.#paused && this.#sending < AT_ONCE) {
      const event = this.#queue.shift()
      if (!event) return
      this.#sending += 1
      void this.#deliver(event).finally(() => {
        this.#sending -= 1
        this.#emitter.emit('done')
        this.#pump()
      })
    }
  }

  async #deliver(event: Event) {
    await Promise.all(this.#options.urls.map((url) => this.#deliverTo(url, event)))
    if (this.#stopped.signal.aborted) return
    this.#books.put('events', { ...event, pending_webhooks: 0 })
    this.#books.commit()
  }

  async #deliverTo(url: string, event: Event) {
    const { attempts, firstRetryMs } = this.#options
    for (let attempt = 1; attempt <= attempts && !this.#stopped.signal.aborted; attempt++) {
      const status = await this.#post(url, event)
      if (this.deliveries.length >= KEPT) this.deliveries.shift()
      this.deliveries.push({
        event: event.id,
        type: event.type,
        url,
        attempt,
        status,
      })
      if (status !== null && status >= 200 && status < 300) return
      const wait = Math.min(firstRetryMs * 2 ** (attempt - 1), LONGEST_RETRY_MS)
      if (attempt < attempts)
        await delay(wait, undefined, { signal: this.#stopped.signal }).catch(() => undefined)
    }
  }

  async #post(url: string, event: Event): Promise<number | null> {
    const body = JSON.stringify(event, null, 2)
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureOf(body, this.#options.secret),
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      await response.body?.cancel()
      return response.status
    } catch {
      return null // no response: retried like any other failure
    }
  }
}

function signatureOf(body: string, secret: string) {
  const time = unixNow()
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}
