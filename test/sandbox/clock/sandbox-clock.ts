import { setTimeout as pause } from 'node:timers/promises'
import { db } from '#shared/platform/db/db.ts'
import { addDuration } from './duration.ts'
import { openOffset, writeOffset } from './offset-file.ts'
import { type DueWork, moveQueueTime, readDueWork, sendSchedulesBetween, setQueueTime } from './queue-time.ts'
import { shiftDate } from './shifted-date.ts'

/** The time up to which the sandbox can go. */
const LAST = new Date('2100-01-01T00:00:00Z')
const POLL_MS = 100
/** A request that a job made is answered between two looks that find nothing. */
const QUIET_LOOKS = 3

interface Parts {
  /** Stores the offset between starts. */
  file: string
  /** Moves the other processes; resolves when each follows. */
  moveProcesses(offsetMs: number): Promise<void>
  /** The number of events that the payment gateway is delivering. */
  countGatewayEvents(): Promise<number>
}

export interface ClockView {
  now: string
  /** How far the sandbox is ahead of the machine's clock. */
  offset_ms: number
}

/** The answer to a move. `settled` is null when the caller did not wait. */
export interface MovedView extends ClockView {
  settled: boolean | null
  due: DueWork[]
  gateway_events: number
  next_due_at: string | null
}

/** A move that is not possible. */
export class ClockRefusal extends Error {}

/** The time of a sandbox: of its processes and of its queue. It goes only forwards. */
export class SandboxClock {
  readonly #parts: Parts
  #offsetMs: number
  /** The offset of the queue. It is behind after a move that failed. */
  #queueOffsetMs: number
  #last: Promise<unknown> = Promise.resolve()

  /** Continues at the stored offset; this process follows from here on. */
  constructor(parts: Parts) {
    this.#parts = parts
    this.#offsetMs = openOffset(parts.file)
    this.#queueOffsetMs = this.#offsetMs
    shiftDate(this.#offsetMs)
  }

  /** Continues the queue's time. Call it after each migration, before a worker starts. */
  startQueue(): Promise<unknown> {
    return setQueueTime(db(), this.#offsetMs)
  }

  read(): ClockView {
    return { now: new Date().toISOString(), offset_ms: this.#offsetMs }
  }

  /**
   * Moves the time by an ISO 8601 duration; resolves when every process and the queue follow and all due jobs can
   * start. A job or schedule that would have run several times runs once. With `settleMs`, work that is due before the
   * move ends at its own time, and what the move made due ends too: it waits that long for each. Moves run one after
   * the other. Throws `ClockRefusal` when the duration is no way forwards.
   */
  advance(duration: string, settleMs: number | null): Promise<MovedView> {
    const moved = this.#last.then(() => this.#advance(duration, settleMs))
    this.#last = moved.catch(() => {})
    return moved
  }

  async #advance(duration: string, settleMs: number | null): Promise<MovedView> {
    parseAdvance(duration)
    if (settleMs !== null) await this.#settle(settleMs)
    await this.#move(parseAdvance(duration))
    const left = settleMs === null ? await this.#readWork() : await this.#settle(settleMs)
    return { ...this.read(), settled: settleMs === null ? null : isSettled(left), ...left }
  }

  // Stored first: a process that starts now reads it. The queue follows last: a job that starts at the new time in a
  // process of the old one would find that it has nothing to do yet.
  async #move(byMs: number): Promise<void> {
    this.#offsetMs += byMs
    writeOffset(this.#parts.file, this.#offsetMs)
    shiftDate(this.#offsetMs)
    await this.#parts.moveProcesses(this.#offsetMs)
    const queueByMs = this.#offsetMs - this.#queueOffsetMs
    const to = new Date()
    await db().transaction(async (tx) => {
      await moveQueueTime(tx, this.#offsetMs, queueByMs)
      await sendSchedulesBetween(tx, new Date(to.getTime() - queueByMs), to)
    })
    this.#queueOffsetMs = this.#offsetMs
  }

  async #settle(withinMs: number): Promise<Work> {
    const deadline = performance.now() + withinMs
    for (let quiet = 0; ; ) {
      const left = await this.#readWork()
      quiet = isSettled(left) ? quiet + 1 : 0
      if (quiet >= QUIET_LOOKS || performance.now() > deadline) return left
      await pause(POLL_MS)
    }
  }

  async #readWork(): Promise<Work> {
    const { due, nextDueAt } = await readDueWork(db())
    const gateway_events = await this.#parts.countGatewayEvents()
    return { due, gateway_events, next_due_at: nextDueAt?.toISOString() ?? null }
  }
}

/** The milliseconds from now on. */
function parseAdvance(duration: string): number {
  const from = new Date()
  const to = addDuration(from, duration)
  if (!to) throw new ClockRefusal('must be an ISO 8601 duration in whole numbers, such as PT30M, P1D or P1M')
  if (to <= from) throw new ClockRefusal('must be longer than 0: the time goes only forwards')
  if (!(to <= LAST)) throw new ClockRefusal(`must not lead beyond ${LAST.toISOString()}`)
  return to.getTime() - from.getTime()
}

type Work = Pick<MovedView, 'due' | 'gateway_events' | 'next_due_at'>

const isSettled = ({ due, gateway_events }: Work): boolean => due.length === 0 && gateway_events === 0
