import { setTimeout as pause } from 'node:timers/promises'
import { runForCaller } from './caller.ts'
import { isAnyWaiting } from './connection-limit.ts'

interface Caller<V> {
  resolve: (value: V | undefined) => void
  reject: (error: unknown) => void
}

// A look-up that hangs on a lost connection must not delay later ones.
const BATCH_TIMEOUT_MS = 1_000

// With many callers, a wait of 1 ms joins several times more look-ups. A lone caller does not wait.
const COLLECT_MS = 1
// While work waits for connections, most callers would only wait there. Fewer look-ups leave time for that work.
const CROWDED_COLLECT_MS = 4

/**
 * Joins concurrent look-ups into batches. One batch runs at a time, and keys that are requested during it form the next
 * one. It is no cache: a batch starts after all of its keys were requested, so a result is never older than its
 * request.
 */
export function batchLookups<V>(loadAll: (keys: string[]) => Promise<Map<string, V>>) {
  let waiting = new Map<string, Caller<V>[]>()
  let isBusy = false

  async function loadWaiting() {
    isBusy = true
    while (waiting.size > 0) {
      if (isAnyWaiting()) await pause(CROWDED_COLLECT_MS)
      const batch = waiting
      waiting = new Map()
      await settledOrTimeout(resolveBatch(batch))
      if (hasSeveralCallers(batch)) await pause(COLLECT_MS)
    }
    isBusy = false
  }

  async function resolveBatch(batch: Map<string, Caller<V>[]>) {
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
      // Use setImmediate, so that all keys of the same turn of the event loop share the batch.
      if (!isBusy && waiting.size === 1 && callers.length === 1)
        runForCaller(undefined, () => setImmediate(() => !isBusy && loadWaiting()))
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
