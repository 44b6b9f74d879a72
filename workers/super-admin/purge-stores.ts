import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { purgeDeletedStores as deletedJob, purgeStore as job } from '#shared/super-admin/jobs.ts'
import { findPurgeable, purgeStore as purge } from '#shared/super-admin/purge-store.ts'
import { handle } from '#workers/platform/handle.ts'

/** Removes a store; one that was restored meanwhile stays. */
export const purgeStore = handle(job, ({ storeId }, { signal }) => purge(storeId, signal))

/** Queues the removal of every store whose time is over. */
export const purgeDeletedStores = handle(deletedJob, async () => {
  for (const storeId of await findPurgeable()) await inStore(storeId, (tx) => enqueue(tx, job, {}))
})
