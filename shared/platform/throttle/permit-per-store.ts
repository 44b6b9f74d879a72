import { currentNetwork } from '#shared/platform/db/waiting-client.ts'
import { semaphore } from './semaphore.ts'

const MAX_WAITING = 64

/**
 * Creates a permit for heavy work of a store: at most `permits` pieces of each store run at a time in this process. The
 * networks of a store's clients take turns. Throws 429 if too many wait.
 */
export function permitPerStore(permits: number) {
  const withPermit = semaphore({
    permits: Number.POSITIVE_INFINITY,
    permitsPerGroup: permits,
    maxWaiting: MAX_WAITING,
  })
  const run = <T>(storeId: string, work: () => Promise<T>): Promise<T> =>
    withPermit(work, { group: storeId, caller: currentNetwork() })
  return Object.assign(run, { countWaiting: withPermit.countWaiting })
}
