import { inStore } from '#shared/platform/db/store-scope.ts'
import { settleReturns as job } from '#shared/returns/jobs.ts'
import { settleReturnsOfRefund } from '#shared/returns/lifecycle/settle-returns-of-refund.ts'
import { handle } from '#workers/platform/handle.ts'

/** Completes the settled returns of an order after one of its refunds has ended. */
export const settleReturns = handle(job, async ({ storeId, refundId }) => {
  await inStore(storeId, (tx) => settleReturnsOfRefund(tx, refundId))
})
