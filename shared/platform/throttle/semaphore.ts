import { CommonErrors } from '../errors.ts'

interface Waiter {
  start(): void
  refuse(error: Error): void
}

/**
 * Bounds how many pieces of heavy work one process runs at a time, and how many wait. Callers take turns, so one that
 * has much to do delays another by one piece. Past both bounds it throws 429 `rate_limit.exceeded` at once, to the
 * caller that has the most waiting. Bottleneck would enforce the bound of its queue late, after it has received all
 * jobs of a burst, and costs a timer for each job.
 */
export function semaphore({ permits, maxWaiting }: { permits: number; maxWaiting: number }) {
  let running = 0
  const waiting = new TurnQueue(maxWaiting)

  /** `caller` is whom the work is for; work without one is of one caller. */
  return async function withPermit<T>(work: () => Promise<T>, caller = ''): Promise<T> {
    if (running < permits) running += 1
    else await new Promise<void>((start, refuse) => waiting.push(caller, { start, refuse }))
    try {
      return await work()
    } finally {
      // The permit passes to the first that waits, so that no later caller takes it.
      const next = waiting.shift()
      if (next) next.start()
      else running -= 1
    }
  }
}

/** The waiting work, in turn by caller: the order of the map's keys is that of their turns. */
class TurnQueue {
  readonly #byCaller = new Map<string, Waiter[]>()
  readonly #most: number
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  push(caller: string, waiter: Waiter): void {
    const own = this.#byCaller.get(caller) ?? []
    if (this.#size >= this.#most && !this.#dropOfLongest(own.length + 1)) {
      waiter.refuse(tooMany())
      return
    }
    own.push(waiter)
    this.#byCaller.set(caller, own)
    this.#size += 1
  }

  shift(): Waiter | undefined {
    const [turn] = this.#byCaller
    if (!turn) return undefined
    const [caller, own] = turn
    const next = own.shift()
    this.#byCaller.delete(caller)
    if (own.length > 0) this.#byCaller.set(caller, own)
    this.#size -= 1
    return next
  }

  /** Refuses the last of the caller with the most waiting, if that is more than `than`. */
  #dropOfLongest(than: number): boolean {
    const [longest] = [...this.#byCaller.values()].sort((a, b) => b.length - a.length)
    if (!longest || longest.length <= than) return false
    longest.pop()?.refuse(tooMany())
    this.#size -= 1
    return true
  }
}

const tooMany = () => CommonErrors.rateLimited({ retryAfter: 1 })
