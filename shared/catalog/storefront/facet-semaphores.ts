import { LRUCache } from 'lru-cache'
import { hasTimedOut } from '#shared/platform/db/sql-error.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'
import { withStorePermit } from '#shared/platform/throttle/store-permit.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'

/** Facets of small catalogs take less. A slower count is canceled, and runs again under the slow semaphore. */
const QUICK_MS = 250

// Facets of 100,000 products take PostgreSQL two seconds, and each price range is another count. One at a time of each
// kind, with stores in turn, leaves connections and processors to the other requests. The callers of one store past the
// limit get 429.
const quickFacets = semaphore({ permits: 1, maxWaiting: 16 })
const slowFacets = semaphore({ permits: 1, maxWaiting: 16 })

/** The stores whose facets took long lately. Their counts skip the quick semaphore, where they would only time out. */
const slowStores = new LRUCache<string, true>({ max: 1_000, ttl: MINUTE_MS })

/**
 * Runs `count` with a permit. It passes the time-out of the statement in milliseconds; undefined: that of any read.
 * Large catalogs have a semaphore of their own, so that several of them do not delay a small one.
 */
export async function withFacetPermit<T>(storeId: string, count: FacetCount<T>): Promise<T> {
  const quick = isSlow(storeId)
    ? null
    : await withStorePermit(quickFacets, storeId, () => countQuickly(storeId, count))
  return quick ? quick.counted : withStorePermit(slowFacets, storeId, () => count(undefined))
}

type FacetCount<T> = (timeoutMs: number | undefined) => Promise<T>

const isSlow = (storeId: string): boolean => slowStores.has(storeId)

/** Counts within `QUICK_MS`. Returns null if that is too short. */
async function countQuickly<T>(storeId: string, count: FacetCount<T>): Promise<{ counted: T } | null> {
  // Check again: a count of the same store may have taken too long while this one waited.
  if (isSlow(storeId)) return null
  try {
    return { counted: await count(QUICK_MS) }
  } catch (error) {
    if (!hasTimedOut(error)) throw error
    slowStores.set(storeId, true)
    return null
  }
}
