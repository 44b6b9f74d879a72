import { inStore } from '#shared/platform/db/store-scope.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { rollUpVisits as job } from '#shared/visits/jobs.ts'
import { countPastVisits, deleteOldVisits } from '#shared/visits/roll-up-visits.ts'
import { handle } from '#workers/platform/handle.ts'

/** Counts the visits of past days and deletes old ones, store by store. */
export const rollUpVisits = handle(job, async (_payload, { signal }) => {
  await forEachStore(signal, async (storeId) => {
    await inStore(storeId, countPastVisits)
    while (await inStore(storeId, deleteOldVisits)) signal.throwIfAborted()
  })
})
