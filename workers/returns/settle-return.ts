import { inStore } from '#shared/platform/db/store-scope.ts'
import { completeRefunded } from '#shared/returns/complete-return.ts'
import { settleReturn as job } from '#shared/returns/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Completes the return that a refund was for, if that was the last thing it waited for. */
export const settleReturn = handle(job, async ({ storeId, refundId }) => {
  await inStore(storeId, (tx) => completeRefunded(tx, refundId))
})
