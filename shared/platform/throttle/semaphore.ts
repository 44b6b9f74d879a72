import { CommonErrors } from '#shared/platform/errors.ts'

interface Waiter {
  start(): void
  refuse(error: Error): void
}

/**
 * Creates a semaphore that limits the pieces of heavy work that one process runs at a time, and those that wait.
 * Callers take turns, so a caller with much work delays another by only one piece. Past both limits, the caller with
 * the most waiting work gets 429 `rate_limit.exceeded` immediately. Bottleneck would enforce the limit of its queue
 * only after it has received all jobs of a burst, and costs a timer for each job.
 */
export function semaphore({ permits, maxWaiting }: { permits: number; maxWaiting: number }) {
  let running = 0
  const waiting = new TurnQueue(maxWaiting)

  /** `caller` identifies the caller of the work. All work without a caller counts as one caller's. */
  return async function withPermit<T>(work: () => Promise<T>, caller = ''): Promise<T> {
    if (running < permits) running += 1
    else await new Promise<void>((start, refuse) => waiting.push(caller, { start, refuse }))
    try {
      return await work()
    } finally {
      // The permit passes to the first waiting work, so that no later caller takes it.
      const next = waiting.shift()
      if (next) next.start()
      else running -= 1
    }
  }
}

/** The waiting work by caller. The first key is the next caller to serve. */
class TurnQueue {
  readonly #byCaller = new Map<string, Waiter[]>()
  readonly #most: number
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  push(caller: string, waiter: Waiter): void {
    const own = this.#byCaller.get(caller) ?? []
    if (this.#size >= this.#most && !this.#dropFromLongest(own.length + 1)) {
      waiter.refuse(tooMany())
      return
    }
    own.push(waiter)
    this.#byCaller.set(caller, own)
    this.#size += 1
  }

  shift(): Waiter | undefined {
    const [first] = this.#byCaller
    if (!first) return undefined
    const [caller, own] = first
    const next = own.shift()
    this.#byCaller.delete(caller)
    if (own.length > 0) this.#byCaller.set(caller, own)
    this.#size -= 1
    return next
  }

  /** Refuses the last work of the caller with the most waiting work, if that is more than `minLength`. */
  #dropFromLongest(minLength: number): boolean {
    const [longest] = [...this.#byCaller.values()].sort((a, b) => b.length - a.length)
    if (!longest || longest.length <= minLength) return false
    longest.pop()?.refuse(tooMany())
    this.#size -= 1
    return true
  }
}

const tooMany = () => CommonErrors.rateLimited({ retryAfter: 1 })
