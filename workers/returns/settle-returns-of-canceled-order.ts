import { inStore } from '#shared/platform/db/store-scope.ts'
import { settleReturnsOfCanceledOrder as job } from '#shared/returns/jobs.ts'
import { settleReturnsOfCanceledOrder as settle } from '#shared/returns/lifecycle/settle-returns-of-canceled-order.ts'
import { handle } from '#workers/platform/handle.ts'

/** Completes the settled returns of a canceled order. */
export const settleReturnsOfCanceledOrder = handle(job, async ({ storeId, orderId }) => {
  await inStore(storeId, (tx) => settle(tx, orderId))
})
