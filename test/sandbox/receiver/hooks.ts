import { EventEmitter, once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'

export type ReceivedHook = {
  id: number
  headers: IncomingHttpHeaders
  body: string
  received_at: string
  /** What it was answered; null when the connection was dropped. */
  status: number | null
}

/** How a hook answers: 200 at once unless told otherwise; `times` requests long, for ever without it. */
export type Behaviour = {
  status?: number
  delay_ms?: number
  body?: string
  headers?: Record<string, string>
  times?: number
  drop?: boolean
}

const KEPT = 1_000

/** What each hook got, and how it answers. */
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

  /** Notes a request, and says how it shall be answered. */
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
