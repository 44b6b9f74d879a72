import { inStore } from '#shared/platform/db/store-scope.ts'
import { settleReturn as job } from '#shared/returns/jobs.ts'
import { completeRefunded } from '#shared/returns/resolution/complete-return.ts'
import { handle } from '#workers/platform/handle.ts'

/** Completes the returns of an order whose refund has ended, when they are settled. */
export const settleReturn = handle(job, async ({ storeId, refundId }) => {
  await inStore(storeId, (tx) => completeRefunded(tx, refundId))
})
