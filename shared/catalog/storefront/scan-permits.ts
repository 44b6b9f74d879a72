import { hasTimedOut } from '#shared/platform/db/sql-error.ts'
import { permitPerStore } from '#shared/platform/throttle/permit-per-store.ts'
import { permitsBySpeed } from '#shared/platform/throttle/permits-by-speed.ts'

type Permits = ReturnType<typeof permitsBySpeed>

/** A read with a time-out in milliseconds; undefined for the usual time-out of reads. */
type Scan<T> = (timeoutMs: number | undefined) => Promise<T>

/** Scans of small catalogs take less. A slower scan is canceled, and runs again with the permit of slow stores. */
const QUICK_MS = 250

/**
 * Returns a function that runs a read of most products of a catalog with a permit. At most one quick scan and one slow
 * scan run at a time, which leaves connections and processors to other requests. A store whose scans took long within
 * the last minute skips the short time-out, because they would exceed it again. See `semaphore` for `maxWaiting`.
 */
function scanPermits({ maxWaiting }: { maxWaiting: number }) {
  const permits = permitsBySpeed({ maxWaiting })
  return async <T>(storeId: string, scan: Scan<T>): Promise<T> => {
    const quick = permits.isSlow(storeId)
      ? null
      : await permits.run(storeId, () => scanQuickly(permits, storeId, scan))
    return quick ? quick.result : permits.run(storeId, () => scan(undefined))
  }
}

/** Scans within `QUICK_MS`. Returns null if that is too short. */
async function scanQuickly<T>(
  permits: Permits,
  storeId: string,
  scan: Scan<T>,
): Promise<{ result: T } | null> {
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

/** Facets of 100,000 products take PostgreSQL two seconds, and each price range is another scan. */
export const withFacetPermit = scanPermits({ maxWaiting: 16 })

/** Names have no index, because each language has its own. To sort 100,000 takes PostgreSQL some 200 ms. */
export const withSortPermit = scanPermits({ maxWaiting: 64 })

/**
 * Runs a read that filters a large catalog with a permit of its store. At most two run at a time, or wait for a
 * connection: one takes up to a second for 300,000 products, and more of them would use all connections of the store.
 */
export const withFilterPermit = permitPerStore(2)
