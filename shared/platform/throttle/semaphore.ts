import { ClientGone, currentClient } from '#shared/platform/db/waiting-client.ts'
import { FairQueue, type Waiter } from './fair-queue.ts'

interface SemaphoreLimits {
  permits: number
  /** The most permits of a group at a time. Default: all. */
  permitsPerGroup?: number
  maxWaiting: number
}

interface PermitOptions {
  /** The caller of the work. All work without one counts as one caller's. */
  caller?: string
  /** The group of the caller, e.g. a store. */
  group?: string
}

/**
 * Creates a semaphore that limits the pieces of heavy work that one process runs at a time, and those that wait. Groups
 * take turns, and so do the callers of a group. So much work of a caller or group delays others by only one piece.
 * Past both limits, the group with the most waiting work gets 429 `rate_limit.exceeded` immediately, and in it the
 * caller with the most. A read waits only as long as its client does. Bottleneck would enforce the limit of its queue
 * only after it has received all jobs of a burst, and costs a timer for each job.
 */
export function semaphore({ permits, permitsPerGroup = permits, maxWaiting }: SemaphoreLimits) {
  let running = 0
  const runningOf = new Map<string, number>()
  const isFree = (group: string): boolean => (runningOf.get(group) ?? 0) < permitsPerGroup
  const waiting = new FairQueue(maxWaiting)

  async function withPermit<T>(
    work: () => Promise<T>,
    { caller = '', group = '' }: PermitOptions = {},
  ): Promise<T> {
    if (running < permits && isFree(group)) take(group)
    else await waitIn(waiting, group, caller)
    try {
      return await work()
    } finally {
      waiting.putLast(group, caller)
      release(group)
      startNext()
    }
  }

  function take(group: string): void {
    running += 1
    runningOf.set(group, (runningOf.get(group) ?? 0) + 1)
  }

  function release(group: string): void {
    running -= 1
    const left = (runningOf.get(group) ?? 0) - 1
    if (left > 0) runningOf.set(group, left)
    else runningOf.delete(group)
  }

  /** Passes the permit to the first waiting work of a group that may have one, so that no later caller takes it. */
  function startNext(): void {
    const next = waiting.shift(isFree)
    if (!next) return
    take(next.group)
    next.waiter.start()
  }
  return Object.assign(withPermit, { countWaiting: () => waiting.size })
}

/** Waits for a permit. Throws `ClientGone` when the client of a read disconnects. */
function waitIn(waiting: FairQueue, group: string, caller: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      start() {
        stop?.()
        resolve()
      },
      refuse(error) {
        stop?.()
        reject(error)
      },
    }
    const stop = currentClient()?.onDisconnect(() => {
      waiting.remove(group, caller, waiter)
      waiter.refuse(new ClientGone())
    })
    waiting.push(group, caller, waiter)
  })
}
