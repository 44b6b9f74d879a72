import { EventEmitter, once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'

export type ReceivedHook = {
  id: number
  headers: IncomingHttpHeaders
  body: string
  received_at: string
  /** The status sent; null when the connection was dropped. */
  status: number | null
}

/** A hook's response. Default: 200 without a delay. `times` limits the number of requests that get it. */
export type Behaviour = {
  status?: number
  delay_ms?: number
  body?: string
  headers?: Record<string, string>
  times?: number
  drop?: boolean
}

const KEPT = 1_000

/** Each hook's requests and its configured response. */
export class Hooks {
  readonly #requests = new Map<string, ReceivedHook[]>()
  readonly #behaviours = new Map<string, Behaviour>()
  readonly #emitter = new EventEmitter().setMaxListeners(0)
  #count = 0

  requests(name: string) {
    return this.#requests.get(name) ?? []
  }

  behave(name: string, behaviour: Behaviour) {
    this.#behaviours.set(name, { ...behaviour })
  }

  clear(name: string) {
    this.#requests.delete(name)
    this.#behaviours.delete(name)
  }

  /** Records a request and returns the configured response. */
  receive(name: string, headers: IncomingHttpHeaders, body: string): Behaviour {
    const behaviour = this.#behaviours.get(name) ?? {}
    if (behaviour.times !== undefined && --behaviour.times <= 0) this.#behaviours.delete(name)
    const status = behaviour.drop ? null : (behaviour.status ?? 200)
    const received = {
      id: ++this.#count,
      headers,
      body,
      received_at: new Date().toISOString(),
      status,
    }
    this.#requests.set(name, [...this.requests(name), received].slice(-KEPT))
    this.#emitter.emit('received')
    return behaviour
  }

  async waitFor(name: string, count: number, signal: AbortSignal) {
    while (this.requests(name).length < count && !signal.aborted) {
      await once(this.#emitter, 'received', { signal }).catch(() => undefined)
    }
    return [...this.requests(name)]
  }
}
