import { returnSurplus as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { returnSurplus as start } from '#shared/refunds/request/return-surplus.ts'
import { handle } from '#workers/platform/handle.ts'

/** Starts the refund of a surplus. */
export const returnSurplus = handle(job, ({ storeId, surplusId }) =>
  inStore(storeId, (tx) => start(tx, surplusId)),
)
