import { LRUCache } from 'lru-cache'
import { hasTimedOut } from '#shared/platform/db/sql-error.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'

/** Most lists take a few milliseconds. A slower one is canceled, and runs again with a permit. */
const QUICK_MS = 250

// A list without an index reads all products of its store: one that searches 100,000 for a word of most of them, or
// sorts them by name, takes PostgreSQL a second, and each price range is another list. One at a time, with stores in
// turn, leaves connections and processors to the other requests. The callers of one store past the limit get 429.
const slowLists = semaphore({ permits: 1, maxWaiting: 16 })

/** The lists that took long lately, by store and statement. They would only time out without a permit. */
const slowStatements = new LRUCache<string, true>({ max: 10_000, ttl: MINUTE_MS })

/**
 * Runs `read`, which reads a list of a store by a statement of that name, and with a permit if such a list took long
 * lately. It passes the time-out of the read in milliseconds; undefined: that of any read.
 */
export async function withListPermit<T>(storeId: string, statement: string, read: ReadList<T>): Promise<T> {
  const key = `${storeId} ${statement}`
  if (!slowStatements.has(key)) {
    try {
      return await read(QUICK_MS)
    } catch (error) {
      if (!hasTimedOut(error)) throw error
      slowStatements.set(key, true)
    }
  }
  return slowLists(async () => {
    const started = performance.now()
    const list = await read(undefined)
    // The database may have been busy only for a moment.
    if (performance.now() - started < QUICK_MS) slowStatements.delete(key)
    return list
  }, storeId)
}

type ReadList<T> = (timeoutMs: number | undefined) => Promise<T>
