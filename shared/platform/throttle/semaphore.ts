import { ClientGone, currentClient } from '#shared/platform/db/waiting-client.ts'
import { FairQueue, type Waiter } from './fair-queue.ts'

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
export function semaphore({ permits, maxWaiting }: { permits: number; maxWaiting: number }) {
  let running = 0
  const waiting = new FairQueue(maxWaiting)

  async function withPermit<T>(
    work: () => Promise<T>,
    { caller = '', group = '' }: PermitOptions = {},
  ): Promise<T> {
    if (running < permits) running += 1
    else await waitIn(waiting, group, caller)
    try {
      return await work()
    } finally {
      waiting.putLast(group, caller)
      // The permit passes to the first waiting work, so that no later caller takes it.
      const next = waiting.shift()
      if (next) next.start()
      else running -= 1
    }
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
