import { setTimeout as pause } from 'node:timers/promises'
import Bottleneck from 'bottleneck'
import { LRUCache } from 'lru-cache'
import { log } from '#shared/platform/log.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import * as platformThrottle from '#shared/platform/throttle/throttle.ts'
import { now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { queueWaitMs } from '#shared/remote-catalog/queue-wait.ts'

type ThrottleRate = platformThrottle.ThrottleRate
type Throttle = Pick<typeof platformThrottle, 'acquire' | 'release'>

/** Thrown if no slot is free before the deadline. */
export class ThrottleTimeout extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('No slot of the throttle is free in time')
    this.waitMs = waitMs
  }
}

const MIN_PAUSE_MS = 10
const MAX_PAUSE_MS = 400
const MAX_QUEUES = 2_000

/**
 * Returns a function that calls outside systems, each subject at its own rate. Within a process, Bottleneck queues the
 * calls and spreads a burst. It counts only one process, so the throttle's slots in PostgreSQL keep the rate over all
 * processes. A waiting call holds no connection and no transaction.
 */
export function createThrottledCall(throttle: Throttle = platformThrottle) {
  const queues = new LRUCache<string, Bottleneck>({ max: MAX_QUEUES })

  /** Runs `call` with a slot, and aborts it at the deadline. Throws `ThrottleTimeout` if no slot is free by then. */
  return async function throttledCall<T>(
    rate: ThrottleRate,
    deadline: Date,
    signal: AbortSignal,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const queue = queueOf(queues, rate)
    assertProcessQueueInTime(queue, rate, deadline)
    // The caller gets its result before the slot is released. The next call in the queue waits for the release.
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = queue.schedule(async () => {
      const slot = await waitForSlot(throttle, rate, deadline)
      const left = Math.max(0, deadline.getTime() - now().getTime())
      await call(AbortSignal.any([signal, AbortSignal.timeout(left)])).then(resolve, reject)
      // If the release fails, the slot is free after the call's time-out.
      await throttle
        .release(rate, slot)
        .catch((error) => log.warn({ err: error }, 'could not release a throttle slot'))
    })
    run.catch(reject)
    return promise
  }
}

/** Refuses a call immediately if the queue of this process is too long for its deadline. */
function assertProcessQueueInTime(queue: Bottleneck, rate: ThrottleRate, deadline: Date): void {
  const { RECEIVED, QUEUED, RUNNING, EXECUTING } = queue.counts()
  const ahead = RECEIVED + QUEUED + RUNNING + EXECUTING
  const waitMs = queueWaitMs(ahead, rate)
  if (waitMs > deadline.getTime() - now().getTime()) throw new ThrottleTimeout(waitMs)
}

/** Returns the queue of a subject's rate, or a new one. */
function queueOf(
  queues: LRUCache<string, Bottleneck>,
  { subject, burst, perSecond }: ThrottleRate,
): Bottleneck {
  const key = `${sha256(subject).toString('base64url')} ${burst} ${perSecond}`
  const known = queues.get(key)
  if (known) return known
  const spacing = SECOND_MS / perSecond / burst
  const queue = new Bottleneck({ maxConcurrent: burst, minTime: spacing })
  queues.set(key, queue)
  return queue
}

/** Polls until a slot is free, and returns it. Throws `ThrottleTimeout` if none can be free before the deadline. */
async function waitForSlot(throttle: Throttle, rate: ThrottleRate, deadline: Date): Promise<number> {
  for (let backoff = MIN_PAUSE_MS; ; backoff = Math.min(backoff * 2, MAX_PAUSE_MS)) {
    const left = deadline.getTime() - now().getTime()
    if (left <= 0) throw new ThrottleTimeout(0)
    const acquired = await throttle.acquire(rate, left)
    if ('slot' in acquired) return acquired.slot
    const { freeInMs, isInUse } = acquired
    if (!isInUse && freeInMs > left) throw new ThrottleTimeout(freeInMs)
    // Wait for the known end of a slot's pause. Poll if a call is running, because its end is unknown.
    await pause(isInUse ? Math.min(backoff, freeInMs || backoff) : Math.max(freeInMs, MIN_PAUSE_MS))
  }
}
