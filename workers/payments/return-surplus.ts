import { returnSurplus as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { returnSurplus as refundSurplus } from '#shared/refunds/request/return-surplus.ts'
import { handle } from '#workers/platform/handle.ts'

/** Refunds a surplus through the gateway. */
export const returnSurplus = handle(job, ({ storeId, surplusId }) =>
  inStore(storeId, (tx) => refundSurplus(tx, surplusId)),
)
