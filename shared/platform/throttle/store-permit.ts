import { hasFreeConnection, holdConnection } from '#shared/platform/db/store-connection-limit.ts'
import { currentNetwork } from '#shared/platform/db/waiting-client.ts'
import { permitPerStore } from './permit-per-store.ts'
import type { semaphore } from './semaphore.ts'

type WithPermit = ReturnType<typeof semaphore>
type PermitPerStore = ReturnType<typeof permitPerStore>

/** For each permit, a place a store for work that holds a connection while it waits for the permit. */
const holdersOf = new WeakMap<WithPermit, PermitPerStore>()

function holdersFor(withPermit: WithPermit): PermitPerStore {
  const holders = holdersOf.get(withPermit) ?? permitPerStore(1)
  holdersOf.set(withPermit, holders)
  return holders
}

/**
 * Runs the work of a store, which uses a connection, with a permit that all stores share. The permit is not held while
 * the store waits for a connection: a store that uses its whole share with slow reads would hold the permit for seconds
 * each time, and delay this work of all other stores. Stores take turns, and so do the networks of a store's clients.
 */
export async function withStorePermit<T>(
  withPermit: WithPermit,
  storeId: string,
  work: () => Promise<T>,
): Promise<T> {
  const caller = { group: storeId, caller: currentNetwork() }
  const tryWork = async () => (hasFreeConnection(storeId) ? { result: await work() } : null)
  const tried = await withPermit(tryWork, caller)
  if (tried) return tried.result
  // The store has no free connection: wait for one first, and then for the permit. One piece of its work at a time,
  // because several would hold all of its connections while they wait for permits.
  return holdersFor(withPermit)(storeId, () => holdConnection(storeId, () => withPermit(work, caller)))
}
