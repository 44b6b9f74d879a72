import { settleCommission as settle } from '#shared/affiliates/commissions/settle-commission.ts'
import { settleCommission as job } from '#shared/affiliates/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Updates the commission of an order after a change of the order. */
export const settleCommission = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, (tx) => settle(tx, orderId)),
)
