import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { hasUnsettledMoney } from '#shared/refunds/has-unsettled-money.ts'
import { purgeDeletedStores as deletedJob, purgeStore as job } from '#shared/stores/jobs.ts'
import { findPurgeable, purgeStore as purge } from '#shared/stores/lifecycle/purge-store.ts'
import { removeFilesOfStore } from '#workers/images/remove-image-files.ts'
import { handle } from '#workers/platform/handle.ts'

/** Removes a deleted store. A restored one stays, and so does one that has to return money to its buyers. */
export const purgeStore = handle(job, ({ storeId }, { signal }) =>
  purge(storeId, { signal, removeFiles: () => removeFilesOfStore(storeId, signal), hasUnsettledMoney }),
)

/** Queues the removal of every store whose retention has ended. */
export const purgeDeletedStores = handle(deletedJob, async () => {
  for (const storeId of await findPurgeable()) await inStore(storeId, (tx) => enqueue(tx, job, {}))
})
