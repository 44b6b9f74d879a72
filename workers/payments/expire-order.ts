import { expireDueOrder } from '#shared/payments/expire-due-order.ts'
import { expireOrder as job } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { handle } from '#workers/platform/handle.ts'

/** Fails an order that was not paid in its time. */
export const expireOrder = handle(job, ({ storeId, orderId }) =>
  inStore(storeId, (tx) => expireDueOrder(tx, orderId)),
)
