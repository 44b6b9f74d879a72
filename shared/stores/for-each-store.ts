import { isolateStoreFailures } from './isolate-store-failures.ts'
import { walkStoreIds } from './walk-store-ids.ts'

/** Runs the work of a job for each store, one after the other. One store's error does not stop the others. */
export const forEachStore = (
  signal: AbortSignal | undefined,
  work: (storeId: string) => Promise<unknown>,
): Promise<void> =>
  isolateStoreFailures(async (runForStore) => {
    for await (const storeId of walkStoreIds()) await runForStore(storeId, () => work(storeId))
  }, signal)
