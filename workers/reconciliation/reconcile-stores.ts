import { withoutPendingJob } from '#shared/platform/jobs/pending-jobs.ts'
import { reconcileStores as job, reconcileStore } from '#shared/reconciliation/jobs.ts'
import { enqueueForStores } from '#shared/stores/enqueue-for-stores.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { walkStoreIds } from '#shared/stores/walk-store-ids.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the comparison of each store's own books, unless it waits or runs already. */
export const reconcileStores = handle(job, (_payload, { signal }) =>
  isolateStoreFailures(async (runForStore) => {
    const storeIds = await Array.fromAsync(walkStoreIds())
    const payloads = storeIds.map((storeId) => ({ storeId }))
    await enqueueForStores(
      runForStore,
      reconcileStore,
      await withoutPendingJob(reconcileStore.queue, payloads),
    )
  }, signal),
)
