import { inStore } from '#shared/platform/db/store-scope.ts'
import { walkStoreIds } from '#shared/stores/list-stores.ts'
import { tallyFigures as job } from '#shared/super-admin/jobs.ts'
import { tallyStore } from '#shared/super-admin/tally-figures.ts'
import { handle } from '#workers/platform/handle.ts'

/** Adds up every store's orders for the platform's figures. */
export const tallyFigures = handle(job, async (_payload, { signal }) => {
  for await (const storeId of walkStoreIds()) {
    signal.throwIfAborted()
    await inStore(storeId, tallyStore)
  }
})
