import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { reconcileStores as job, reconcileStore } from '#shared/reconciliation/jobs.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the comparison of each store's own books. */
export const reconcileStores = handle(job, (_payload, { signal }) =>
  forEachStore(signal, (storeId) => inStore(storeId, (tx) => enqueue(tx, reconcileStore, {}))),
)
