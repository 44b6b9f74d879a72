import { inStore } from '#shared/platform/db/store-scope.ts'
import { settleCanceledReturns as job } from '#shared/returns/jobs.ts'
import { settleReturnsOfCanceled } from '#shared/returns/lifecycle/settle-returns-of-canceled.ts'
import { handle } from '#workers/platform/handle.ts'

/** Completes the settled returns of a canceled order. */
export const settleCanceledReturns = handle(job, async ({ storeId, orderId }) => {
  await inStore(storeId, (tx) => settleReturnsOfCanceled(tx, orderId))
})
