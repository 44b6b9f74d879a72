import { setTimeout as delay } from 'node:timers/promises'
import type { Arrival } from '#test/sandbox/gateway/arrivals.ts'
import type { Gateway } from '#test/sandbox/gateway/gateway.ts'
import type { Fleet } from './fleet.ts'

/** When a worker is killed: before the gateway moves the money, after that, or while the response is on its way. */
export const POINTS = ['before', 'after', 'answered'] as const
export type Point = (typeof POINTS)[number]

const REFUNDS = '/v1/refunds'
const DEATHS_PER_REFUND = 2

/**
 * Kills the worker that sends a refund, at a point of the call. Each refund is killed at most twice. After `target` kills,
 * all refunds go through.
 */
export class Killer {
  readonly kills: Record<Point, number> = { before: 0, after: 0, answered: 0 }
  readonly #gateway: Gateway
  readonly #fleet: Fleet
  readonly #target: number
  readonly #onKill: (killed: number) => void
  /** By request: the point at which its worker is killed. */
  readonly #marked = new Map<string, Point>()
  /** By idempotency key: how often its worker was killed. */
  readonly #deaths = new Map<string, number>()

  constructor(gateway: Gateway, fleet: Fleet, target: number, onKill: (killed: number) => void = () => {}) {
    this.#gateway = gateway
    this.#fleet = fleet
    this.#target = target
    this.#onKill = onKill
    gateway.on('received', (arrival) => this.#received(arrival))
    gateway.on('applied', (arrival) => this.#strike(arrival, 'after'))
    gateway.on('replied', (arrival) => this.#strike(arrival, 'answered'))
  }

  get killed(): number {
    return this.kills.before + this.kills.after + this.kills.answered
  }

  get isDone(): boolean {
    return this.killed >= this.#target
  }

  // The gateway takes its fault for a request right after it told of it: a rule made here is for this request.
  #received(arrival: Arrival) {
    const { method, path, idempotency_key: key, request_id } = arrival
    this.#gateway.faults.clear()
    if (method !== 'POST' || path !== REFUNDS || !key || this.isDone) return
    if ((this.#deaths.get(key) ?? 0) >= DEATHS_PER_REFUND) return
    const point = this.#rarest()
    this.#marked.set(request_id, point)
    if (point === 'answered') return
    const mode = point === 'before' ? 'hang_before' : 'hang_after'
    this.#gateway.faults.set({ on: `POST ${REFUNDS}`, mode, times: 1 })
    // A repeated answer is applied to nothing, so nobody tells of it: its sender dies as it waits.
    if (point === 'before' || this.#wasApplied(key)) setImmediate(() => this.#strike(arrival, point))
  }

  #rarest(): Point {
    return POINTS.reduce((rarest, point) => (this.kills[point] < this.kills[rarest] ? point : rarest))
  }

  #wasApplied(key: string): boolean {
    return this.#gateway.ledger().refunds.some(({ metadata }) => metadata.refund_id === key)
  }

  async #strike({ request_id, worker, idempotency_key: key }: Arrival, point: Point) {
    if (this.#marked.get(request_id) !== point || !key) return
    this.#marked.delete(request_id)
    // The answer travels: the worker dies before it comes, while it is settled, or after.
    if (point === 'answered') await delay(Math.random() * 8)
    if (!this.#fleet.kill(nameIn(worker))) return
    this.kills[point] += 1
    this.#deaths.set(key, (this.#deaths.get(key) ?? 0) + 1)
    this.#onKill(this.killed)
  }
}

/** The process's name, as the gateway's log has it of the caller. */
const nameIn = (caller: string | null) => /worker-\d+/.exec(caller ?? '')?.[0] ?? ''
