import { inStore } from '#shared/platform/db/store-scope.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { rollUpFigures as job } from '#shared/super-admin/jobs.ts'
import { rollUpStore } from '#shared/super-admin/roll-up-store.ts'
import { handle } from '#workers/platform/handle.ts'

/** Adds up every store's orders for the platform's figures. */
export const rollUpFigures = handle(job, async (_payload, { signal }) => {
  await forEachStore(signal, (storeId) => inStore(storeId, rollUpStore))
})
