import { setTimeout as pause } from 'node:timers/promises'
import { untilFewWait } from './connection-waits.ts'
import { runForClient } from './waiting-client.ts'

interface Waiter<V> {
  resolve: (value: V | undefined) => void
  reject: (error: unknown) => void
}

// A look-up that hangs on a lost connection must not delay later ones.
const BATCH_TIMEOUT_MS = 1_000

// With many callers, a wait of 1 ms joins several times more look-ups. A lone caller does not wait.
const COLLECT_MS = 1
// While much work waits for connections, callers wait longer for their batch: fewer batches leave the connections to
// that work. The wait ends when hardly any work waits, so that callers have their result before connections are idle.
const CROWDED_COLLECT_MS = 4

/**
 * Joins concurrent look-ups into batches. One batch runs at a time, and keys that are requested during it form the next
 * one. It is no cache: a batch starts after all of its keys were requested, so a result is never older than its
 * request.
 */
export function batchLookups<V>(loadAll: (keys: string[]) => Promise<Map<string, V>>) {
  let waiting = new Map<string, Waiter<V>[]>()
  let isBusy = false

  async function loadWaiting() {
    isBusy = true
    while (waiting.size > 0) {
      await untilFewWait(CROWDED_COLLECT_MS)
      const batch = waiting
      waiting = new Map()
      await waitAtMost(BATCH_TIMEOUT_MS, resolveBatch(batch))
      if (hasSeveralWaiters(batch)) await pause(COLLECT_MS)
    }
    isBusy = false
  }

  async function resolveBatch(batch: Map<string, Waiter<V>[]>) {
    try {
      const found = await loadAll([...batch.keys()])
      for (const [key, waiters] of batch) for (const waiter of waiters) waiter.resolve(found.get(key))
    } catch (error) {
      for (const waiters of batch.values()) for (const waiter of waiters) waiter.reject(error)
    }
  }

  return (key: string): Promise<V | undefined> =>
    new Promise((resolve, reject) => {
      const waiters = waiting.get(key) ?? []
      waiters.push({ resolve, reject })
      waiting.set(key, waiters)
      // Use setImmediate, so that all keys of the same turn of the event loop share the batch.
      if (!isBusy && waiting.size === 1 && waiters.length === 1)
        runForClient(undefined, () => setImmediate(() => !isBusy && loadWaiting()))
    })
}

function hasSeveralWaiters(batch: Map<string, unknown[]>): boolean {
  let waiters = 0
  for (const waiting of batch.values()) waiters += waiting.length
  return waiters > 1
}

function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void work.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
