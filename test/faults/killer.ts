import { setTimeout as delay } from 'node:timers/promises'
import type { Arrival } from '#test/sandbox/gateway/arrivals.ts'
import type { Gateway, Ledger } from '#test/sandbox/gateway/gateway.ts'
import type { WorkerPool } from './worker-pool.ts'

/** When a worker is killed: before the gateway moves the money, after that, or while the response is on its way. */
export const POINTS = ['before', 'after', 'answered'] as const
export type Point = (typeof POINTS)[number]

const DEATHS_PER_CALL = 2

/** The calls of the gateway at which workers are killed. */
export interface Aim {
  /** Of the POST that moves money. */
  path: string
  /** Whether the call with this idempotency key has moved money before. */
  wasMade: (ledger: Ledger, key: string) => boolean
  target: number
  onKill?: ((killed: number) => void) | undefined
}

/**
 * Kills the worker that moves money, at a point of the call. Each call is killed at most twice. After `target` kills,
 * all calls go through.
 */
export class Killer {
  readonly kills: Record<Point, number> = { before: 0, after: 0, answered: 0 }
  readonly #gateway: Gateway
  readonly #workers: WorkerPool
  readonly #aim: Aim
  /** By request: the point at which its worker is killed. */
  readonly #marked = new Map<string, Point>()
  /** By idempotency key: how often its worker was killed. */
  readonly #deaths = new Map<string, number>()

  constructor(gateway: Gateway, workers: WorkerPool, aim: Aim) {
    this.#gateway = gateway
    this.#workers = workers
    this.#aim = aim
    gateway.on('received', (arrival) => this.#received(arrival))
    gateway.on('applied', (arrival) => this.#strike(arrival, 'after'))
    gateway.on('replied', (arrival) => this.#strike(arrival, 'answered'))
  }

  get killed(): number {
    return this.kills.before + this.kills.after + this.kills.answered
  }

  get isDone(): boolean {
    return this.killed >= this.#aim.target
  }

  // The gateway takes its fault for a request right after it reported it: a rule made here is for this request.
  #received(arrival: Arrival) {
    const { method, path, idempotency_key: key, request_id } = arrival
    this.#gateway.faults.clear()
    if (method !== 'POST' || path !== this.#aim.path || !key || this.isDone) return
    if ((this.#deaths.get(key) ?? 0) >= DEATHS_PER_CALL) return
    const point = this.#rarest()
    this.#marked.set(request_id, point)
    if (point === 'answered') return
    const mode = point === 'before' ? 'hang_before' : 'hang_after'
    this.#gateway.faults.set({ on: `POST ${this.#aim.path}`, mode, times: 1 })
    // A repeated answer is applied to nothing, so nobody tells of it: its sender dies as it waits.
    if (point === 'before' || this.#aim.wasMade(this.#gateway.ledger(), key))
      setImmediate(() => this.#strike(arrival, point))
  }

  #rarest(): Point {
    return POINTS.reduce((rarest, point) => (this.kills[point] < this.kills[rarest] ? point : rarest))
  }

  async #strike({ request_id, worker, idempotency_key: key }: Arrival, point: Point) {
    if (this.#marked.get(request_id) !== point || !key) return
    this.#marked.delete(request_id)
    // The answer travels: the worker dies before it comes, while it is settled, or after.
    if (point === 'answered') await delay(Math.random() * 8)
    if (!this.#workers.kill(nameIn(worker))) return
    this.kills[point] += 1
    this.#deaths.set(key, (this.#deaths.get(key) ?? 0) + 1)
    this.#aim.onKill?.(this.killed)
  }
}

/** The process's name, as the gateway's log has it of the caller. */
const nameIn = (caller: string | null) => /worker-\d+/.exec(caller ?? '')?.[0] ?? ''
