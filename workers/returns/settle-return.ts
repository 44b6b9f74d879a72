import { inStore } from '#shared/platform/db/store-scope.ts'
import { completeRefunded } from '#shared/returns/complete-return.ts'
import { settleReturn as job } from '#shared/returns/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Completes the return of a refund that has ended, when it is settled. */
export const settleReturn = handle(job, async ({ storeId, refundId }) => {
  await inStore(storeId, (tx) => completeRefunded(tx, refundId))
})
