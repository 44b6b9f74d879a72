import { hasTimedOut } from '#shared/platform/db/sql-error.ts'
import { permitsBySpeed } from '#shared/platform/throttle/permits-by-speed.ts'

/** Facets of small catalogs take less. A slower count is canceled, and runs again among those of slow stores. */
const QUICK_MS = 250

// Facets of 100,000 products take PostgreSQL two seconds, and each price range is another count. One at a time of each
// speed leaves connections and processors to the other requests. The callers of one store past the limit get 429.
const permits = permitsBySpeed({ maxWaiting: 16 })

/**
 * Runs `count` with a permit. It passes the time-out of the statement in milliseconds; undefined: that of any read. A
 * store whose counts took long lately skips the short time-out, which they would only exceed.
 */
export async function withFacetPermit<T>(storeId: string, count: FacetCount<T>): Promise<T> {
  const quick = permits.isSlow(storeId)
    ? null
    : await permits.run(storeId, () => countQuickly(storeId, count))
  return quick ? quick.counted : permits.run(storeId, () => count(undefined))
}

type FacetCount<T> = (timeoutMs: number | undefined) => Promise<T>

/** Counts within `QUICK_MS`. Returns null if that is too short. */
async function countQuickly<T>(storeId: string, count: FacetCount<T>): Promise<{ counted: T } | null> {
  // Check again: a count of the same store may have taken too long while this one waited.
  if (permits.isSlow(storeId)) return null
  try {
    return { counted: await count(QUICK_MS) }
  } catch (error) {
    if (!hasTimedOut(error)) throw error
    permits.noteSlow(storeId)
    return null
  }
}
