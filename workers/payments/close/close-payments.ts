import { closePayments as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { closeCanceledOrder } from '#shared/settlement/close-canceled-order.ts'
import { handle } from '#workers/platform/handle.ts'

/** Closes what is open of the payments of a canceled order. */
export const closePayments = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, (tx) => closeCanceledOrder(tx, orderId)),
)
