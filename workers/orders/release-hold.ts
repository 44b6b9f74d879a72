import { releaseHold as job } from '#shared/orders/jobs.ts'
import { releaseDueHold } from '#shared/orders/stock/hold.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Releases the resources of an order whose hold has ended. */
export const releaseHold = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, (tx) => releaseDueHold(tx, orderId)),
)
