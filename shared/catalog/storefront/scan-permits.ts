import { hasTimedOut } from '#shared/platform/db/sql-error.ts'
import { permitsBySpeed } from '#shared/platform/throttle/permits-by-speed.ts'

/** Scans of small catalogs take less. A slower scan is canceled, and runs again among those of slow stores. */
const QUICK_MS = 250

// Facets of 100,000 products take PostgreSQL two seconds, and each price range is another scan. One at a time of each
// speed leaves connections and processors to the other requests. The callers of one store past the limit get 429.
const permits = permitsBySpeed({ maxWaiting: 16 })

/**
 * Runs `scan`, a read of most products of a catalog, with a permit. It passes the time-out of the statement in
 * milliseconds; undefined: that of any read. A store whose scans took long lately skips the short time-out, which they
 * would only exceed.
 */
export async function withScanPermit<T>(storeId: string, scan: Scan<T>): Promise<T> {
  const quick = permits.isSlow(storeId) ? null : await permits.run(storeId, () => scanQuickly(storeId, scan))
  return quick ? quick.result : permits.run(storeId, () => scan(undefined))
}

type Scan<T> = (timeoutMs: number | undefined) => Promise<T>

/** Scans within `QUICK_MS`. Returns null if that is too short. */
async function scanQuickly<T>(storeId: string, scan: Scan<T>): Promise<{ result: T } | null> {
  // Check again: a scan of the same store may have taken too long while this one waited.
  if (permits.isSlow(storeId)) return null
  try {
    return { result: await scan(QUICK_MS) }
  } catch (error) {
    if (!hasTimedOut(error)) throw error
    permits.noteSlow(storeId)
    return null
  }
}
