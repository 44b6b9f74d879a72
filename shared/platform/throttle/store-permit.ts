import { hasFreeConnection, holdConnection } from '#shared/platform/db/store-connection-limit.ts'
import { currentNetwork } from '#shared/platform/db/waiting-client.ts'
import type { semaphore } from './semaphore.ts'

/**
 * Runs the work of a store, which uses a connection, with a permit that all stores share. The permit is not held while
 * the store waits for a connection: a store that uses its whole share with slow reads would hold the permit for seconds
 * each time, and delay this work of all other stores. Stores take turns, and so do the networks of a store's clients.
 */
export async function withStorePermit<T>(
  withPermit: ReturnType<typeof semaphore>,
  storeId: string,
  work: () => Promise<T>,
): Promise<T> {
  const caller = { group: storeId, caller: currentNetwork() }
  const tryWork = async () => (hasFreeConnection(storeId) ? { result: await work() } : null)
  const tried = await withPermit(tryWork, caller)
  if (tried) return tried.result
  // The store has no free connection: wait for one first, and then for the permit.
  return holdConnection(storeId, () => withPermit(work, caller))
}
