import { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { semaphore } from './semaphore.ts'
import { withStorePermit } from './store-permit.ts'

/** The permit that work has: whether it is the one of slow stores, and how much work waits for it. */
interface Permit {
  isSlow: boolean
  countWaiting(): number
}

/**
 * Creates two permits that all stores share: one for the stores whose work was slow within the last minute, one for all
 * others. So slow stores delay only each other. Stores take turns at each; see `semaphore` for `maxWaiting`.
 */
export function permitsBySpeed({ maxWaiting }: { maxWaiting: number }) {
  const quick = semaphore({ permits: 1, maxWaiting })
  const slow = semaphore({ permits: 1, maxWaiting })
  const slowStores = new LRUCache<string, true>({ max: 1_000, ttl: MINUTE_MS })
  const isSlow = (storeId: string): boolean => slowStores.has(storeId)

  return {
    isSlow,
    /** Notes that the work of a store was slow. */
    noteSlow: (storeId: string): void => void slowStores.set(storeId, true),
    /** Runs `work` of a store with the permit for its speed. */
    run<T>(storeId: string, work: (permit: Permit) => Promise<T>): Promise<T> {
      const wasSlow = isSlow(storeId)
      const withPermit = wasSlow ? slow : quick
      return withStorePermit(withPermit, storeId, () =>
        work({ isSlow: wasSlow, countWaiting: withPermit.countWaiting }),
      )
    },
  }
}
