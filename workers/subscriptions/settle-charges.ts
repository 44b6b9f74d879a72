import { inStore } from '#shared/platform/db/store-scope.ts'
import { settleCharges as settle } from '#shared/subscriptions/charges/settle-charges.ts'
import { settleCharges as job } from '#shared/subscriptions/jobs.ts'
import { handle } from '#workers/platform/handle.ts'

/** Applies the outcome of an order to its subscriptions. */
export const settleCharges = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, (tx) => settle(tx, orderId)),
)
