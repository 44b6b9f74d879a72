import { currentNetwork } from '#shared/platform/db/waiting-client.ts'
import { semaphore } from '#shared/platform/throttle/semaphore.ts'

const exportPermit = semaphore({ permits: Number.POSITIVE_INFINITY, permitsPerGroup: 1, maxWaiting: 64 })

/**
 * Runs a customer's export with a permit of the store. One runs at a time: it takes a third of a second for a thousand
 * orders, and those of twenty customers would use all connections of the store. Call it outside a transaction. Throws
 * 429 if too many wait.
 */
export const withExportPermit = <T>(storeId: string, exportData: () => Promise<T>): Promise<T> =>
  exportPermit(exportData, { group: storeId, caller: currentNetwork() })
