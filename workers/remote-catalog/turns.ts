import { setTimeout as pause } from 'node:timers/promises'
import Bottleneck from 'bottleneck'
import { LRUCache } from 'lru-cache'
import { log } from '#shared/platform/log.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import * as platformLanes from '#shared/platform/throttle/throttle.ts'
import { now, SECOND_MS } from '#shared/platform/time/clock.ts'

type Pace = platformLanes.ThrottleRate

/** There is no turn before the caller's patience ends. */
export class NoTurn extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('There is no turn in time')
    this.waitMs = waitMs
  }
}

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 400
const MOST_KEYS = 2_000

/**
 * Lets calls to outside systems take turns, each system's key at its own pace. In this process Bottleneck queues them,
 * first come first served, and spreads a burst; but it counts for this process alone, so over all of them the lanes in
 * PostgreSQL have the last word. Who waits holds neither a connection nor a transaction.
 */
export function takeTurns(lanes: Pick<typeof platformLanes, 'acquire' | 'release'> = platformLanes) {
  const queues = new LRUCache<string, Bottleneck>({ max: MOST_KEYS })

  function queueOf({ subject, burst, perSecond }: Pace): Bottleneck {
    const key = `${sha256(subject).toString('base64url')} ${burst} ${perSecond}`
    const known = queues.get(key)
    if (known) return known
    const spacing = SECOND_MS / perSecond / burst
    const queue = new Bottleneck({ maxConcurrent: burst, minTime: spacing })
    queues.set(key, queue)
    return queue
  }

  async function waitForLane(pace: Pace, until: Date): Promise<number> {
    for (let doze = FIRST_PAUSE_MS; ; doze = Math.min(doze * 2, LONGEST_PAUSE_MS)) {
      const left = until.getTime() - now().getTime()
      if (left <= 0) throw new NoTurn(0)
      const taken = await lanes.acquire(pace, left)
      if ('slot' in taken) return taken.slot
      const { freeInMs, isInUse } = taken
      if (!isInUse && freeInMs > left) throw new NoTurn(freeInMs)
      // When a call under way will end is not known, so it is looked for; when a rest will, is.
      const rest = Math.max(freeInMs, FIRST_PAUSE_MS)
      await pause(isInUse ? Math.min(doze, freeInMs || doze) : rest)
    }
  }

  /** Runs `call` when it is its turn, and ends it at `until`. Throws `NoTurn` when there is none by then. */
  return async function inTurn<T>(
    pace: Pace,
    until: Date,
    signal: AbortSignal,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const queue = queueOf(pace)
    assertInTime(queue, pace, until)
    // The caller is not kept waiting while the lane is left; the next one in this queue is.
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const turn = queue.schedule(async () => {
      const lane = await waitForLane(pace, until)
      const left = Math.max(0, until.getTime() - now().getTime())
      await call(AbortSignal.any([signal, AbortSignal.timeout(left)])).then(resolve, reject)
      // A lane that cannot be left is free when its call's time is over.
      await lanes.release(pace, lane).catch((error) => log.warn({ err: error }, 'could not leave a lane'))
    })
    turn.catch(reject)
    return promise
  }
}

/** Refuses at once who would stand in this process's queue in vain. */
function assertInTime(queue: Bottleneck, { burst, perSecond }: Pace, until: Date): void {
  const { RECEIVED, QUEUED, RUNNING, EXECUTING } = queue.counts()
  const ahead = RECEIVED + QUEUED + RUNNING + EXECUTING
  const waitMs = ((ahead + 1 - burst) / perSecond) * SECOND_MS
  if (waitMs > until.getTime() - now().getTime()) throw new NoTurn(waitMs)
}
