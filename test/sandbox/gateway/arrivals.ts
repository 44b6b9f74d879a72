import { EventEmitter, once } from 'node:events'

export type Phase = 'received' | 'applied' | 'replied'

/** One phase of one request. A replayed response has no `applied` phase, since nothing is changed. */
export type Arrival = {
  seq: number
  request_id: string
  phase: Phase
  method: string
  path: string
  idempotency_key: string | null
  worker: string | null
  at: string
  status?: number
  replayed?: boolean
}

export type ArrivalFilter = {
  after?: number
  phase?: Phase | undefined
  path?: string | undefined
}

const KEPT = 10_000

/** The phases of all requests in order, so that a test waits for a phase instead of sleeping. */
export class Arrivals {
  readonly #emitter = new EventEmitter().setMaxListeners(0)
  #kept: Arrival[] = []
  #seq = 0

  note(arrival: Omit<Arrival, 'seq' | 'at'>) {
    const noted = {
      seq: ++this.#seq,
      at: new Date().toISOString(),
      ...arrival,
    }
    this.#kept.push(noted)
    if (this.#kept.length > KEPT * 2) this.#kept = this.#kept.slice(-KEPT)
    this.#emitter.emit('noted', noted)
    this.#emitter.emit(arrival.phase, noted)
  }

  on(phase: Phase, listener: (arrival: Arrival) => void) {
    this.#emitter.on(phase, listener)
    return () => void this.#emitter.off(phase, listener)
  }

  list({ after = 0, phase, path }: ArrivalFilter = {}): Arrival[] {
    return this.#kept.filter(
      (one) => one.seq > after && (!phase || one.phase === phase) && (!path || one.path.includes(path)),
    )
  }

  /** The matching phases as soon as there is one; an empty list when `signal` ends the wait. */
  async waitFor(filter: ArrivalFilter, signal: AbortSignal): Promise<Arrival[]> {
    for (;;) {
      const found = this.list(filter)
      if (found.length > 0 || signal.aborted) return found
      await once(this.#emitter, 'noted', { signal }).catch(() => undefined)
    }
  }
}
