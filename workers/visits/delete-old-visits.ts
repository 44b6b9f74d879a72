import { inStore } from '#shared/platform/db/store-scope.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { deleteOldVisits as deleteBatch } from '#shared/visits/delete-old-visits.ts'
import { deleteOldVisits as job } from '#shared/visits/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Deletes the visits past the attribution window, store by store. */
export const deleteOldVisits = handle(job, async (_payload, { signal }) => {
  await forEachStore(signal, async (storeId) => {
    while (await inStore(storeId, deleteBatch)) signal.throwIfAborted()
  })
})
