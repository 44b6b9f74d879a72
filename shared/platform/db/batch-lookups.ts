import { setTimeout as pause } from 'node:timers/promises'

interface Waiting<V> {
  resolve: (value: V | undefined) => void
  reject: (error: unknown) => void
}

// A look-up that hangs (its connection is lost) must not hold up those after it.
const BATCH_TIMEOUT_MS = 1_000

// In a crowd a moment's wait joins several times as many look-ups; who asks alone never waits.
const COLLECT_MS = 1

/**
 * Joins look-ups into as few as can be: one is under way at a time, and whatever is asked meanwhile goes into the
 * next. A look-up always starts after it was asked for, so its answer is never older than the question: it is joined
 * work, not a cache.
 */
export function batchLookups<V>(loadAll: (keys: string[]) => Promise<Map<string, V>>) {
  let waiting = new Map<string, Waiting<V>[]>()
  let isBusy = false

  async function loadWaiting() {
    isBusy = true
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      await settledOrTimeout(answer(batch))
      if (hasSeveralCallers(batch)) await pause(COLLECT_MS)
    }
    isBusy = false
  }

  async function answer(batch: Map<string, Waiting<V>[]>) {
    try {
      const found = await loadAll([...batch.keys()])
      for (const [key, callers] of batch) for (const caller of callers) caller.resolve(found.get(key))
    } catch (error) {
      for (const callers of batch.values()) for (const caller of callers) caller.reject(error)
    }
  }

  return (key: string): Promise<V | undefined> =>
    new Promise((resolve, reject) => {
      const callers = waiting.get(key) ?? []
      callers.push({ resolve, reject })
      waiting.set(key, callers)
      // Not at once: what arrives in the same turn of the event loop belongs together.
      if (!isBusy && waiting.size === 1 && callers.length === 1) setImmediate(() => !isBusy && loadWaiting())
    })
}

function hasSeveralCallers(batch: Map<string, unknown[]>): boolean {
  let callers = 0
  for (const waiting of batch.values()) callers += waiting.length
  return callers > 1
}

function settledOrTimeout(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, BATCH_TIMEOUT_MS)
    work.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
